/**
 * Numbers per doc are written anew for each question into arrays that stay: new ones of a large bank would be collected after every answer,
 * which is what the slowest hundredth of answers waited for. A ranking is made without a pause, so no two of them ever share these.
 * @returns places for so many docs and for some that are still to come
 */
export function roomFor(docs: number): number {
  return Math.max(256, Math.ceil(docs * 1.25));
}

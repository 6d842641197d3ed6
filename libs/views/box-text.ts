import type { SealedBox } from '#events/sealed-box.js';

/** A box as rows have it: written in one order, so that the row does not depend on how the envelope was read. */
export function boxText({ f, a, k, n, c }: SealedBox): string {
  return JSON.stringify({ f, a, k, n, c });
}

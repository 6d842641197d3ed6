import type { Remembered } from '../commit/remembered.js';

/**
 * Whether what a model found in a version may go on record: while that is what the memory says, and is served. What was held back, taken back
 * or erased while the model was at it is left alone, and a version that another one took the place of is no longer asked about.
 */
export function mayBeEnriched(
  { state }: Pick<Remembered, 'state'>,
  { version }: { readonly version: number },
): boolean {
  return state.status === 'current' && state.version === version;
}

import { isHindsightError } from '#contract/errors.js';

/** A key is gone; or another one has taken its place, as the secret of a person who was erased and is written about again. */
export function isGone(error: unknown): boolean {
  return isHindsightError(error, 'key_not_found') || isHindsightError(error, 'ledger_corrupt');
}

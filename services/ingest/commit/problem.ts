import { HindsightError, isHindsightError } from '#contract/errors.js';
import type { WriteOutcome } from '#contract/write.js';

type Problem = NonNullable<WriteOutcome['error']>;

/** An error as an item of a batch carries it. What is not meant for readers is not shown: it might quote content. */
export function problemOf(error: unknown): Problem {
  const told = isHindsightError(error)
    ? error
    : new HindsightError('internal', 'The write failed for a reason that is in the log.');
  const details = Object.keys(told.details).length ? { details: { ...told.details } } : {};
  return { code: told.code, message: told.message, hint: told.hint, ...details };
}

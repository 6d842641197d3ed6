import { encodeBasis } from '#contract/basis.js';
import type { Mark, Outcome } from './commit-changes.js';

/** The last event, in the ledger's order, that outcomes of one call rest on. */
export function lastMark(outcomes: readonly Outcome<unknown>[]): Mark | undefined {
  let last: Mark | undefined;
  for (const outcome of outcomes) {
    const mark = 'mark' in outcome ? outcome.mark : undefined;
    if (mark && (last === undefined || mark.position > last.position)) last = mark;
  }
  return last;
}

/** A basis from which all that a call changed is seen; undefined when it rests on no event. */
export function basisOf(
  outcomes: readonly Outcome<unknown>[],
  here: { readonly ledger: string; readonly bank: string; readonly recipe: string; readonly now: number },
): string | undefined {
  const mark = lastMark(outcomes);
  if (!mark) return undefined;
  const { ledger, bank, recipe, now } = here;
  const { position, hash, recordedAt } = mark;
  return encodeBasis({ ledger, bank, position, hash, at: new Date(Math.max(now, recordedAt)).toISOString(), recipe });
}

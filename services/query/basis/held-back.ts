import type { Caller } from '#contract/caller.js';
import { type Columns, openSeq, spanStatus } from '../bank-index/columns.js';
import { standing } from '../bank-index/visibility.js';
import { iso } from '../recall/to-item.js';
import type { View } from './open-view.js';

/** What an answer says that leaves out what nobody has reviewed yet. */
export const heldBackNote = 'What is held back for review, or was rejected, is shown to reviewers only.';

/** The same where it was not held back yet at the basis that is asked about. */
export const heldBackSinceNote =
  'Something that stood at this basis was held back for review, or rejected, since: it is shown to reviewers only.';

/** What of a view its caller may be shown, as the bank stands today: safety goes before repeating an answer. */
export interface HeldBack {
  /** Whether what a doc says may be shown. */
  mayShow(doc: number): boolean;
  /** Whether it may not, although it was not held back yet at the basis. */
  isWithheld(doc: number): boolean;
  /** Since when it is held back, ISO 8601, for who may see it all the same; undefined where that was known at the basis, or is not so. */
  since(doc: number): string | undefined;
}

/**
 * What is held back is shown to reviewers alone, at every basis. So is what a reviewer took away in the end, unless it stands there as
 * retracted: as current or superseded it would look as if nobody had found fault with it.
 */
export function heldBack({ index, visibility, seq }: View, { roles }: Pick<Caller, 'roles'>): HeldBack {
  const isReviewer = roles.includes('reviewer');
  const { columns } = index;
  const mayShow = (doc: number) => {
    if (isReviewer) return true;
    const stands = visibility.standing[doc];
    if (stands === standing.quarantined) return false;
    const at = holdingSpan(columns, doc);
    return at < 0 || (stands === standing.retracted && columns.seqFrom[at]! <= seq);
  };
  const spanSince = (doc: number) => {
    const at = holdingSpan(columns, doc);
    return at >= 0 && columns.seqFrom[at]! > seq ? at : -1;
  };
  return {
    mayShow,
    isWithheld: (doc) => !isReviewer && spanSince(doc) >= 0,
    since(doc) {
      const at = isReviewer ? spanSince(doc) : -1;
      return at < 0 ? undefined : iso(columns.systemFrom[at]!);
    },
  };
}

/** The same, which knows afterwards whether something was asked for that is withheld. */
export function watched(held: HeldBack): HeldBack & { wasWithheld(): boolean } {
  let withheld = false;
  return {
    ...held,
    mayShow(doc) {
      withheld ||= held.isWithheld(doc);
      return held.mayShow(doc);
    },
    wasWithheld: () => withheld,
  };
}

/** The doc's span that says that it is held back today, or was when a reviewer took it away; -1 for none. */
function holdingSpan(columns: Columns, doc: number): number {
  const { status, seqTo, newestSpan, earlierSpan } = columns;
  for (let at = newestSpan[doc] ?? -1; at >= 0; at = earlierSpan[at]!) {
    if (status[at] === spanStatus.erased) return -1;
    if (status[at] !== spanStatus.quarantined) continue;
    if (seqTo[at] === openSeq || isTakenAway(columns, doc, seqTo[at]!)) return at;
  }
  return -1;
}

/** Whether what ended a review was a rejection, after which the doc was not brought back. */
function isTakenAway({ status, seqFrom, newestSpan, earlierSpan, spans }: Columns, doc: number, ended: number) {
  let own = -1;
  for (let at = newestSpan[doc]!; at >= 0; at = earlierSpan[at]!) {
    if (seqFrom[at]! > ended && status[at] !== spanStatus.retracted) return false;
    if (seqFrom[at] === ended) own = status[at]!;
  }
  if (own >= 0) return own === spanStatus.retracted;
  // Another version covered it while both were held back: that one's span says what became of them.
  const other = seqFrom.subarray(0, spans).indexOf(ended);
  return other >= 0 && status[other] === spanStatus.retracted;
}

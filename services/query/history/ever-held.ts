import type { HistoryInput } from '#contract/history.js';
import { openSeq } from '../bank-index/columns.js';
import type { View } from '../basis/open-view.js';
import { askedValidTime } from '../recall/asked.js';

/**
 * Whether a version was ever said, as far as the basis knows, to hold at the time that is asked about; undefined where none is asked about.
 * @throws HindsightError as askedValidTime
 */
export function everHeld(
  { index, seq, point }: Pick<View, 'index' | 'seq' | 'point'>,
  input: Pick<HistoryInput, 'valid_at' | 'valid_during'>,
): ((doc: number, upTo?: number) => boolean) | undefined {
  if (input.valid_at === undefined && input.valid_during === undefined) return undefined;
  const { from, to } = askedValidTime(input, point.at);
  const { newestSpan, earlierSpan, seqFrom, validFrom, validTo } = index.columns;
  return (doc, upTo = openSeq) => {
    const known = Math.min(seq, upTo);
    for (let at = newestSpan[doc] ?? -1; at >= 0; at = earlierSpan[at]!)
      if (seqFrom[at]! <= known && validFrom[at]! < to && from < validTo[at]!) return true;
    return false;
  };
}

import { standing, type Visibility } from '../bank-index/visibility.js';
import type { View } from './open-view.js';

const erasedSince = 'Something that counted at this basis was erased since';

/** Of an answer that is ranked. */
export const alteredNote = `${erasedSince}: items and scores may not be what they were before.`;

/** Of rows, which have no scores. */
export const alteredRowsNote = `${erasedSince}: rows may not be what they were before.`;

/** Of one memory's history. */
export const alteredEntriesNote =
  'This memory was erased since: what it said at this basis is gone, and when, by whom and what was done stays.';

const current: ReadonlySet<number> = new Set([standing.current]);

/**
 * Whether an erasure since may have changed an answer. It may where what was erased was current at the basis, since the number of memories
 * and their length decide every score; or where it stood as was asked, since it may have been an item itself. Whether it would have passed
 * a filter or matched the question cannot be known any more. And so it may where something was embedded together with what was erased.
 */
export async function isAltered(
  { reader, index, visibility, vectors }: View,
  at: Visibility,
  standings: ReadonlySet<number>,
): Promise<boolean> {
  const { erased, columns } = index;
  return (
    (vectors?.isAltered ?? false) ||
    (await erased.isMissed(reader, columns, visibility.point, current)) ||
    (await erased.isMissed(reader, columns, at.point, standings))
  );
}

/** The same of what was ranked: turns of a session are ranked by their neighbours, too. */
export async function isRankingAltered(view: View, at: Visibility, standings: ReadonlySet<number>): Promise<boolean> {
  const { reader, index, seq } = view;
  return (await isAltered(view, at, standings)) || index.erased.wasBeside(reader, index.columns, { seq });
}

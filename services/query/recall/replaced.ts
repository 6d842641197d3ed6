import type { MemoryItem } from '#contract/memory-item.js';
import type { VersionRow } from '#views/rows.js';
import type { Columns } from '../bank-index/columns.js';
import { spanStatus } from '../bank-index/columns.js';
import type { Visibility } from '../bank-index/visibility.js';
import type { HeldBack } from '../basis/held-back.js';
import type { View } from '../basis/open-view.js';
import { contentOf, type Opening, openVersion } from './open-version.js';
import { preview } from './preview.js';
import { given, iso } from './to-item.js';
import { versionsOf } from './versions-of.js';

export type Replaced = NonNullable<MemoryItem['replaced']>[number];

/**
 * Versions looked at on each side of the one that is shown: what holds just before it is mostly the one written before it. A version from
 * the past that came much later is not found; then the one written before stands in for it, which is said with its own times.
 */
const looked = 8;

/** A span that stood where the shown version stands now, or just before it. */
interface Before {
  readonly doc: number;
  readonly from: number;
  readonly to: number;
  /** When the ledger learned otherwise; undefined where it still holds for its time. */
  readonly knownTo?: number;
}

/** What each version replaced, as known at the view's basis: what was true just before it, else what it corrected. */
export async function replacedBy(
  opening: Opening,
  { view, at, held }: { readonly view: View; readonly at: Visibility; readonly held: HeldBack },
  rows: readonly VersionRow[],
): Promise<(Replaced | undefined)[]> {
  const revised = rows.filter(({ version }) => version > 1);
  if (revised.length === 0) return rows.map(() => undefined);
  const around = await view.reader.docsAround(view.bank, revised, looked);
  const befores = new Map<VersionRow, Before>();
  for (const [place, row] of revised.entries()) {
    const { before, after } = around[place] ?? { before: [], after: [] };
    const found = beforeOf(view.index.columns, at, row.doc, before, after);
    if (found && held.mayShow(found.doc)) befores.set(row, found);
  }
  const docs = [...new Set([...befores.values()].map(({ doc }) => doc))];
  const versions = new Map((await versionsOf(view, docs)).map((version) => [version.doc, version]));
  return Promise.all(
    rows.map(async (row) => {
      const before = befores.get(row);
      const version = before && versions.get(before.doc);
      const content = version && (await openVersion(opening, view.ledger, view.bank, version));
      if (!content) return undefined;
      return {
        version: version.version,
        content: preview(contentOf(content)),
        valid_from: iso(before.from),
        ...given('valid_to', before.to === Infinity ? undefined : iso(before.to)),
        ...given('system_to', before.knownTo === undefined ? undefined : iso(before.knownTo)),
      };
    }),
  );
}

function beforeOf(
  columns: Columns,
  { span, point }: Visibility,
  doc: number,
  before: readonly number[],
  after: readonly number[],
): Before | undefined {
  const shown = span[doc] ?? -1;
  if (shown < 0) return undefined;
  const begins = columns.validFrom[shown]!;
  const ends = columns.validTo[shown]!;
  for (const other of [...before, ...after]) {
    const found = spanWhere(
      columns,
      other,
      (at) => columns.validTo[at] === begins && columns.seqFrom[at]! <= point.seq && point.seq < columns.seqTo[at]!,
    );
    if (found >= 0) return { doc: other, from: columns.validFrom[found]!, to: columns.validTo[found]! };
  }
  // Nothing held just before it: it took the place of what was believed of the same time.
  for (const other of before) {
    const found = spanWhere(
      columns,
      other,
      (at) => columns.seqTo[at]! <= point.seq && columns.validFrom[at]! < ends && begins < columns.validTo[at]!,
    );
    if (found < 0) continue;
    const [from, to, knownTo] = [columns.validFrom[found]!, columns.validTo[found]!, columns.systemTo[found]!];
    return { doc: other, from, to, knownTo };
  }
  return undefined;
}

/** The doc's newest span that is as asked, but never an erased one; -1 for none. */
function spanWhere(columns: Columns, doc: number, isIt: (at: number) => boolean): number {
  let at = columns.newestSpan[doc] ?? -1;
  while (at >= 0 && (columns.status[at] === spanStatus.erased || !isIt(at))) at = columns.earlierSpan[at]!;
  return at;
}

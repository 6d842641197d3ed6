import type { MemoryItem } from '#contract/memory-item.js';
import type { VersionRow } from '#views/rows.js';
import { standing, type Visibility } from '../bank-index/visibility.js';
import type { View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { isAlike, type Likeness, likenessOf } from './alike.js';
import { openVersion } from './open-version.js';
import type { Ranked } from './ranking/rank.js';
import { replacedBy } from './replaced.js';
import { given, toItem } from './to-item.js';
import { versionsOf } from './versions-of.js';

export interface Found {
  readonly row: VersionRow;
  readonly item: MemoryItem;
}

interface Group {
  readonly likeness: Likeness;
  /** The newest stands for all. */
  best: Found;
  readonly also: string[];
}

/**
 * The versions that were ranked, opened, the first `wanted` of them. Among those that say the same, the newest stands for all, in the place of
 * the best. What was erased since it was ranked is not there.
 */
export async function openFound(
  deps: QueryDeps,
  view: View,
  at: Visibility,
  ranked: readonly Ranked[],
  wanted: number,
): Promise<Found[]> {
  const groups: Group[] = [];
  for (let from = 0; from < ranked.length && groups.length < wanted; ) {
    const next = ranked.slice(from, from + Math.max(wanted - groups.length, 4));
    from += next.length;
    for (const found of await openEach(deps, view, at, next)) join(groups, found, at, wanted);
  }
  const found = groups.slice(0, wanted);
  const replaced = await replacedBy(
    deps,
    view,
    at,
    found.map(({ best }) => best.row),
  );
  return found.map(({ best: { row, item }, also }, place) => ({
    row,
    item: {
      ...item,
      ...given('replaced', replaced[place] && [replaced[place]]),
      ...(also.length ? { also } : {}),
    },
  }));
}

interface Opened extends Found {
  readonly likeness: Likeness;
}

async function openEach(deps: QueryDeps, view: View, at: Visibility, ranked: readonly Ranked[]): Promise<Opened[]> {
  const { ledger, bank, index } = view;
  const rows = await versionsOf(
    view,
    ranked.map(({ doc }) => doc),
  );
  const opened = await Promise.all(
    ranked.map(async ({ score, legs, matched, features, why }, place) => {
      const row = rows[place]!;
      const content = await openVersion(deps, ledger, bank, row);
      if (!content) return undefined;
      const item = {
        ...toItem(row, content, index.columns, at),
        score,
        ...(legs
          ? {
              explain: {
                legs,
                matched: [...matched],
                ...given('features', features),
                ...given('why', why && [...why]),
              },
            }
          : {}),
      };
      return { row, item, likeness: likenessOf(content) };
    }),
  );
  return opened.filter((each) => each !== undefined);
}

/** What is not current says something of its own, however alike. */
function join(groups: Group[], { row, item, likeness }: Opened, at: Visibility, wanted: number): void {
  const isCurrent = at.standing[row.doc] === standing.current;
  const same = isCurrent
    ? groups.find(
        ({ best, likeness: other }) => at.standing[best.row.doc] === standing.current && isAlike(likeness, other),
      )
    : undefined;
  if (!same) {
    if (groups.length < wanted) groups.push({ likeness, best: { row, item }, also: [] });
    return;
  }
  const isNewer = momentOf(row) > momentOf(same.best.row);
  same.also.push(isNewer ? same.best.item.id : item.id);
  if (isNewer) same.best = { row, item: { ...item, ...given('score', same.best.item.score) } };
}

function momentOf({ occurredAt, recordedAt }: VersionRow): string {
  return occurredAt ?? recordedAt;
}

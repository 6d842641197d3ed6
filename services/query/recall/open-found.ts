import type { MemoryItem } from '#contract/memory-item.js';
import type { VersionRow } from '#views/rows.js';
import type { Visibility } from '../bank-index/visibility.js';
import { type HeldBack, watched } from '../basis/held-back.js';
import type { View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { isAlike, isDenied, type Likeness, likenessOf } from './alike.js';
import { openVersion } from './open-version.js';
import type { Ranked } from './ranking/rank.js';
import { replacedBy } from './replaced.js';
import { given, toItem } from './to-item.js';
import { versionsOf } from './versions-of.js';

export interface Found {
  readonly row: VersionRow;
  readonly item: MemoryItem;
}

/** What an answer is opened from. */
export interface Opening {
  readonly view: View;
  readonly at: Visibility;
  readonly held: HeldBack;
}

export interface FoundAll {
  readonly found: readonly Found[];
  /** Something that ranked among them may not be shown to this caller any more, and was left out. */
  readonly isWithheld: boolean;
}

interface Group {
  readonly likeness: Likeness;
  /** The newest stands for all. */
  best: Found;
  readonly also: string[];
}

/**
 * The versions that were ranked, opened, the first `wanted` of them. Among those that say the same, the newest stands for all, in the place of
 * the best. What was erased since it was ranked is not there, nor is what this caller may not be shown any more.
 */
export async function openFound(
  deps: QueryDeps,
  opening: Opening,
  ranked: readonly Ranked[],
  wanted: number,
): Promise<FoundAll> {
  const { held } = opening;
  const groups: Group[] = [];
  // What is looked at may be told by an item that it says the same as, also where it would be no item of its own.
  let looked = 0;
  while (looked < ranked.length && groups.length < wanted) {
    const next = ranked.slice(looked, looked + Math.max(wanted - groups.length, 4));
    const shown = next.filter(({ doc }) => held.mayShow(doc));
    for (const found of await openEach(deps, opening, shown)) join(groups, found, wanted);
    looked += next.length;
  }
  const found = groups.slice(0, wanted);
  const former = watched(held);
  const replaced = await replacedBy(
    deps,
    { ...opening, held: former },
    found.map(({ best }) => best.row),
  );
  return {
    isWithheld: former.wasWithheld() || ranked.slice(0, looked).some(({ doc }) => held.isWithheld(doc)),
    found: found.map(({ best: { row, item }, also }, place) => ({
      row,
      item: {
        ...item,
        ...given('replaced', replaced[place] && [replaced[place]]),
        ...(also.length ? { also } : {}),
      },
    })),
  };
}

interface Opened extends Found {
  readonly likeness: Likeness;
}

async function openEach(deps: QueryDeps, { view, at, held }: Opening, ranked: readonly Ranked[]): Promise<Opened[]> {
  const { ledger, bank, index } = view;
  const earlier = ranked.flatMap(({ over }) => (over === undefined ? [] : [over]));
  const rows = await versionsOf(view, [...new Set([...ranked.map(({ doc }) => doc), ...earlier])]);
  const idOf = new Map(rows.map(({ doc, memoryId }) => [doc, memoryId]));
  const opened = await Promise.all(
    ranked.map(async ({ score, legs, matched, features, named, over }, place) => {
      const row = rows[place]!;
      const content = await openVersion(deps, ledger, bank, row);
      if (!content) return undefined;
      const item = {
        ...toItem(row, content, index.columns, at),
        ...given('quarantined_at', held.since(row.doc)),
        score,
        ...(legs
          ? {
              explain: {
                legs,
                matched: [...matched],
                ...given('features', features),
                ...given('why', whyOf(named, over === undefined ? undefined : idOf.get(over))),
              },
            }
          : {}),
      };
      return { row, item, likeness: likenessOf(content) };
    }),
  );
  return opened.filter((each) => each !== undefined);
}

/** What else decided over a place than the sum of features, in words. */
function whyOf(named: Ranked['named'], earlier: string | undefined): string[] | undefined {
  const why = [
    ...(named === 'key' ? ['The question asks for its key.'] : []),
    ...(named === 'tags' ? ['The question asks for nothing but words of its tags.'] : []),
    ...(named === 'time' ? ['The question asks for whatever there is of that time, or within that filter.'] : []),
    ...(earlier === undefined
      ? []
      : [`Says anew what ${earlier} said before, so it stands at that one's score, above it.`]),
  ];
  return why.length > 0 ? why : undefined;
}

/**
 * What is not current says something of its own, however alike. So do versions of one memory that held one after the other within the time
 * that is asked about: at most one of them is current. What says no to an earlier one in its words, or no longer does, stands before it.
 */
function join(groups: Group[], { row, item, likeness }: Opened, wanted: number): void {
  const place = (is: (one: Likeness, other: Likeness) => boolean): number =>
    item.status === 'current'
      ? groups.findIndex(({ best, likeness: other }) => best.item.status === 'current' && is(likeness, other))
      : -1;
  const same = groups[place(isAlike)];
  if (same) {
    const isNewer = momentOf(row) > momentOf(same.best.row);
    same.also.push(isNewer ? same.best.item.id : item.id);
    if (isNewer) same.best = { row, item: { ...item, ...given('score', same.best.item.score) } };
    return;
  }
  const denied = place(isDenied);
  const earlier = groups[denied]?.best;
  if (earlier && momentOf(row) > momentOf(earlier.row))
    groups.splice(denied, 0, { likeness, best: { row, item: above(item, earlier.item) }, also: [] });
  else if (groups.length < wanted) groups.push({ likeness, best: { row, item }, also: [] });
}

/** An item at the score of an earlier one that it says the opposite of. */
function above({ explain, ...item }: MemoryItem, earlier: MemoryItem): MemoryItem {
  const why = `Says otherwise than ${earlier.id} said before, so it stands at that one's score, above it.`;
  return {
    ...item,
    ...given('score', earlier.score),
    ...(explain ? { explain: { ...explain, why: [...(explain.why ?? []), why] } } : {}),
  };
}

function momentOf({ occurredAt, recordedAt }: VersionRow): string {
  return occurredAt ?? recordedAt;
}

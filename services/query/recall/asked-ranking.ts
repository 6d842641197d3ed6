import type { SearchInput } from '#contract/search.js';
import type { Json } from '#events/canonical.js';
import type { AskedSpan } from '#understanding/dates/dated.js';
import type { VersionFilter } from '#views/reader.js';
import type { Visibility } from '../bank-index/visibility.js';
import type { View } from '../basis/open-view.js';

const defaultTopK = 5;

export function topKOf({ top_k }: SearchInput): number {
  return top_k ?? defaultTopK;
}

interface Ranking {
  readonly view: View;
  /** At the time that is asked about. */
  readonly at: Visibility;
  readonly standings: ReadonlySet<number>;
  readonly filter: VersionFilter | undefined;
  /** As the question was understood at the basis's moment: "yesterday" is another day tomorrow, though nothing else changes. */
  readonly dates: readonly AskedSpan[];
}

/**
 * Everything that a ranking depends on: two questions for which this is the same are ranked the same. A moment counts by the stretch of
 * time in which everything stands as it does then, so that asking again a second later is the same question.
 */
export function askedRanking(input: SearchInput, { view, at, standings, filter, dates }: Ranking): Json {
  const { kinds, tagHashes, ...rest } = filter ?? {};
  return {
    form: 4,
    recipe: view.inForce.recipe,
    views: view.stamp,
    seq: view.seq,
    event: view.point.moment?.hash ?? null,
    // The statistics are those of the basis, whatever time is asked about.
    basis: stretchOf(view.visibility),
    at: stretchOf(at),
    standings: [...standings].sort(),
    // Half a surrogate pair has no canonical form, and says nothing.
    query: input.query.trim().toWellFormed(),
    dates: dates.map(({ from, to, grain, exact }) => [from ?? null, to ?? null, grain, exact]),
    filter: { ...present(rest), kinds: sorted(kinds), tagHashes: sorted(tagHashes) },
    topK: topKOf(input),
    least: input.min_score ?? null,
    explain: input.explain ?? false,
    vectors: view.vectors ? [view.vectors.space.model, view.vectors.mark, view.vectors.changes] : null,
  };
}

function stretchOf({ point, since, until }: Visibility): Json {
  const isMoment = point.to === point.from + 1;
  return isMoment ? ['within', String(since), String(until)] : ['from', String(point.from), String(point.to)];
}

function sorted(names: readonly string[] | undefined): Json {
  return names ? [...new Set(names)].sort() : null;
}

function present(parts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(parts)
    .filter((part): part is [string, string] => part[1] !== undefined)
    .map(([name, value]) => [name, value.toWellFormed()]);
  return Object.fromEntries(given);
}

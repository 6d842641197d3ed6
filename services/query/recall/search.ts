import type { Caller } from '#contract/caller.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { SearchInput, SearchOutput } from '#contract/search.js';
import type { VersionFilter } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { standing, type Visibility } from '../bank-index/visibility.js';
import { alteredNote, isAltered } from '../basis/altered.js';
import { openView, type View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import type { LatencyWindow } from '../stats/latency-window.js';
import { askedFilter, askedStandings, askedValidTime, checkQuery } from './asked.js';
import { askedRanking, leastScoreOf, topKOf } from './asked-ranking.js';
import { fitBudget } from './fit-budget.js';
import { fuse, type Ranked } from './fuse.js';
import { keyword } from './legs/keyword.js';
import { openVersion, textOf } from './open-version.js';
import { recordServed } from './record-served.js';
import { replacedBy } from './replaced.js';
import { given, toItem } from './to-item.js';
import { versionsOf } from './versions-of.js';

interface Found {
  readonly row: VersionRow;
  readonly item: MemoryItem;
}

/** Answers a question: the versions that are relevant to it, best first, as of its basis. */
export async function search(
  deps: QueryDeps,
  indexes: BankIndexes,
  latencies: LatencyWindow,
  input: SearchInput,
  caller: Caller,
): Promise<SearchOutput> {
  const started = performance.now();
  checkQuery(input.query);
  const standings = askedStandings(input.include, caller);
  const view = await openView(deps, indexes, input, caller, { vectors: true });
  const validTime = askedValidTime(input, view.point.at);
  const at = view.index.visibility({ seq: view.seq, ...validTime });
  const filter = askedFilter(input, view.keys);
  const find = async () => rank(deps, input, view, eligible(at, standings, await filtered(filter, view)));
  const asked = askedRanking(input, { view, at, standings, filter });
  const ranked = await (deps.answers?.answer(caller.bank, asked, find) ?? find());
  const found = await open(deps, view, at, ranked, input.explain ?? false);
  const fitting = fitBudget(found, ({ item }) => textOf(item.content), input.token_budget);
  const left = found.length - fitting.length;
  const altered = await isAltered(view, at, standings);
  const notes = [
    ...view.notes,
    ...(altered ? [alteredNote] : []),
    ...(left > 0 ? [`${left} more did not fit token_budget ${input.token_budget}.`] : []),
  ];
  const recallId = deps.sources.uuid();
  const tookMs = performance.now() - started;
  latencies.add(caller.bank, tookMs, fitting.length > 0);
  deps.meters?.recalled('all', tookMs / 1000);
  await recordServed(deps, caller, { input, view, recallId, tookMs, validTime, found: fitting });
  return {
    items: fitting.map(({ item }) => item),
    basis: view.basis,
    recall_id: recallId,
    ...(altered ? { altered_by_erasure: true } : {}),
    ...(notes.length ? { notes } : {}),
  };
}

async function rank(
  { meters }: Pick<QueryDeps, 'meters'>,
  input: SearchInput,
  view: View,
  mask: Uint8Array,
): Promise<Ranked[]> {
  const { reader, index, keys, visibility } = view;
  const scope = {
    reader,
    index,
    indexKey: keys.indexKey,
    basis: visibility,
    eligible: mask,
    limit: topKOf(input),
  };
  const began = performance.now();
  const candidates = await keyword.rank(input.query, scope);
  meters?.recalled(keyword.name, (performance.now() - began) / 1000);
  const least = leastScoreOf(input);
  return fuse({ leg: keyword.name, candidates }).filter(({ score }) => score >= least);
}

async function filtered(filter: VersionFilter | undefined, view: View): Promise<readonly number[] | undefined> {
  return filter && view.reader.docsWhere(view.bank, filter);
}

/** 1 for each doc that stands as asked and passes the filter. */
export function eligible(
  at: Visibility,
  standings: ReadonlySet<number>,
  docs: readonly number[] | undefined,
): Uint8Array {
  if (!docs && standings.size === 1 && standings.has(standing.current)) return at.isCurrent;
  const mask = new Uint8Array(at.standing.length);
  if (docs) for (const doc of docs) mask[doc] = standings.has(at.standing[doc] ?? -1) ? 1 : 0;
  else for (let doc = 0; doc < mask.length; doc++) mask[doc] = standings.has(at.standing[doc]!) ? 1 : 0;
  return mask;
}

async function open(
  deps: QueryDeps,
  view: View,
  at: Visibility,
  ranked: readonly Ranked[],
  explain: boolean,
): Promise<Found[]> {
  const { ledger, bank, index } = view;
  const rows = await versionsOf(
    view,
    ranked.map(({ doc }) => doc),
  );
  const replaced = await replacedBy(deps, view, at, rows);
  const found = await Promise.all(
    ranked.map(async ({ score, legs, matched }, rank) => {
      const row = rows[rank]!;
      const content = await openVersion(deps, ledger, bank, row);
      // Erased since it was ranked.
      if (!content) return undefined;
      const item = {
        ...toItem(row, content, index.columns, at),
        ...given('replaced', replaced[rank] && [replaced[rank]]),
        score,
        ...(explain ? { explain: { legs, matched: [...matched] } } : {}),
      };
      return { row, item };
    }),
  );
  return found.filter((each) => each !== undefined);
}

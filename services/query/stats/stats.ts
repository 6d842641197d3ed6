import type { Caller } from '#contract/caller.js';
import type { StatsOutput } from '#contract/stats.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { openView } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { iso } from '../recall/to-item.js';
import type { LatencyWindow } from './latency-window.js';
import { readingProgress } from './reading-progress.js';
import { vectorProgress } from './vector-progress.js';

export async function stats(
  deps: QueryDeps,
  indexes: BankIndexes,
  latencies: LatencyWindow,
  caller: Caller,
): Promise<StatsOutput> {
  const view = await openView(deps, indexes, {}, caller);
  const byKind: Record<string, Record<string, number>> = {};
  let total = 0;
  for (const { kind, status, count } of await view.reader.counts(view.bank, iso(view.point.at))) {
    byKind[kind] = { ...byKind[kind], [status]: count };
    total += count;
  }
  const projection = await deps.projection(view.bank);
  const vectors = await vectorProgress(deps.embedder, view);
  const enrichment = await readingProgress(deps, view);
  return {
    bank: view.bank,
    memories: { total, by_kind: byKind },
    recall: latencies.of(view.bank),
    projection: {
      lag_events: projection.lagEvents,
      set_aside: projection.setAside,
      generation: projection.generation,
    },
    ...(vectors ? { vectors } : {}),
    ...(enrichment ? { enrichment } : {}),
    stores: await deps.storeSizes(),
    basis: view.basis,
    ...(view.notes.length > 0 ? { notes: [...view.notes] } : {}),
  };
}

import type { QueryPort } from '#contract/query-port.js';
import { audit } from './audit/audit.js';
import { bankIndexes } from './bank-index/bank-indexes.js';
import { history } from './history/history.js';
import { item } from './history/item.js';
import { matching } from './matching/matching.js';
import type { QueryDeps } from './query-deps.js';
import { search } from './recall/search.js';
import { latencyWindow } from './stats/latency-window.js';
import { stats } from './stats/stats.js';

/** Milliseconds after the first answer until the model is loaded: it is on its way by then. */
const warmAfter = 20;

/**
 * Questions in, memories out. Any number may be asked at once; nothing needs closing. The model that embeds questions is loaded after the
 * first answer.
 */
export function createQueries(deps: QueryDeps): QueryPort {
  const indexes = bankIndexes(deps.vault);
  const latencies = latencyWindow();
  let isWarmed = false;
  const warm = (): void => {
    if (isWarmed || !deps.embedder) return;
    isWarmed = true;
    setTimeout(() => deps.embedder?.warm(), warmAfter).unref();
  };
  return {
    search: (input, caller) => search(deps, indexes, latencies, input, caller).finally(warm),
    history: (input, caller) => history(deps, indexes, input, caller),
    item: (memoryId, caller) => item(deps, indexes, memoryId, caller),
    matching: (filter, caller, retractedToo) => matching(deps, indexes, filter, caller, retractedToo),
    audit: (input, caller) => audit({ deps, indexes, latencies }, input, caller),
    stats: (caller) => stats(deps, indexes, latencies, caller),
  };
}

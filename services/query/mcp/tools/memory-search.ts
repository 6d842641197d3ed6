import type { QueryPort } from '#contract/query-port.js';
import { searchInput, searchOutput } from '#contract/search.js';
import { renderSearch } from '../render/render-search.js';
import { defineTool } from '../tool.js';

export const memorySearch = (queries: QueryPort) =>
  defineTool({
    name: 'memory_search',
    title: 'Recall',
    description:
      'Look up what is remembered. Call it before you answer or act on anything that an earlier session may have settled: decisions, conventions, preferences, names, versions, what was tried before. Ask in the words that the memory would use, English or Chinese. Only what is true now is served, unless you ask with `valid_at` (what was true then), `as_of` (what was known then) or `include`. An empty answer means that nothing relevant is stored: do not guess instead. `basis` of an earlier answer repeats it exactly.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input: searchInput,
    output: searchOutput,
    call: (given, caller) => queries.search(given, caller),
    render: renderSearch,
  });

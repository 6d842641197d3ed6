import { historyInput, historyOutput, historyPage } from '#contract/history.js';
import type { QueryPort } from '#contract/query-port.js';
import { renderHistory } from '../render/render-history.js';
import { defineTool } from '../tool.js';

export const memoryHistory = (queries: QueryPort) =>
  defineTool({
    name: 'memory_history',
    title: 'History of a memory',
    description:
      'See how a memory came to say what it says: every version with when it was true and when it was known, who wrote it, what changed and why, and whether it was forgotten. Call it when the user asks since when, by whom or why, when two memories disagree, or before you revise a fact that surprises you. Give `memory_id` or `key`. Of a long history the latest entries come first: give `next` back as `cursor` for those before.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input: historyInput,
    output: historyOutput,
    call: (given, caller) => queries.history({ limit: historyPage.usual, ...given }, caller),
    render: renderHistory,
  });

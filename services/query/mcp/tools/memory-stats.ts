import type { QueryPort } from '#contract/query-port.js';
import { statsInput, statsOutput } from '#contract/stats.js';
import { renderStats } from '../render/render-stats.js';
import { defineTool } from '../tool.js';

export const memoryStats = (queries: QueryPort, bankName: string) =>
  defineTool({
    name: 'memory_stats',
    title: 'State of the memory',
    description:
      'Count what is stored, by kind and status, and see how recall performs and how large the stores are. Call it when the user asks about the memory itself, or to see whether a bank holds anything before you search it.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input: statsInput,
    output: statsOutput,
    // People know a bank by its name, the port by its id.
    call: async (_given, caller) => ({ ...(await queries.stats(caller)), bank: bankName }),
    render: renderStats,
  });

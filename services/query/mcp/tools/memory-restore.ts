import type { CommandPort } from '#contract/command-port.js';
import { HindsightError } from '#contract/errors.js';
import { restoreAnswer, restoreInput } from '#contract/forget.js';
import type { QueryPort } from '#contract/query-port.js';
import { renderRestore } from '../render/render-restore.js';
import { defineTool } from '../tool.js';

export const memoryRestore = (commands: CommandPort, queries: QueryPort) =>
  defineTool({
    name: 'memory_restore',
    title: 'Restore',
    description:
      'Bring back a memory that memory_forget retracted or archived, when forgetting it turns out to have been wrong. Give its id (memory_history and the answer of memory_forget name it) and why. It is served again as before.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input: restoreInput,
    output: restoreAnswer,
    async call(given, caller) {
      const { status, memory_id, version } = await commands.restore(given, caller);
      const { basis, notes: _, content, tags = [], ...item } = await queries.item(memory_id, caller);
      // Held back since: a repeated call is answered as the first one was, and shows no more than a search does.
      if (content === undefined)
        throw new HindsightError('memory_quarantined', `Memory ${JSON.stringify(memory_id)} is held back for review.`, {
          memory_id,
        });
      return { status, memory_id, version, item: { ...item, content, tags }, basis };
    },
    render: renderRestore,
  });

import { auditInput, auditOutput } from '#contract/audit.js';
import type { QueryPort } from '#contract/query-port.js';
import { renderAudit } from '../render/render-audit.js';
import { defineTool } from '../tool.js';

export const memoryAudit = (queries: QueryPort) =>
  defineTool({
    name: 'memory_audit',
    title: 'Audit',
    description:
      'Answer for what this memory said, when and why. Call it when the user asks what was believed at some time and why (`ask: belief` with `query` and `at`), what all of it looked like then (`state`), what changed between two moments (`diff`), who wrote something and for what reason (`who`), what was entered long after it became true (`retroactive`), what a session had been shown before it acted (`shown` with `session_id` and `at`), or which stored events stand behind a memory (`events`). For the story of one memory memory_history is shorter. Reading the audit is itself put on record.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input: auditInput,
    output: auditOutput,
    call: (given, caller) => queries.audit(given, caller),
    render: renderAudit,
  });

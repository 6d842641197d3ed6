import { expect, it } from 'vitest';
import type { AuditOutput } from '#contract/audit.js';
import { renderAudit } from './render-audit.js';

it('tells how late something was recorded in units that a person uses', () => {
  const row: AuditOutput['rows'][number] = {
    memory_id: '01985f00-0000-7000-8000-000000000001',
    version: 2,
    content: 'Ada moved to Leiden.',
    valid_from: '2026-03-01T00:00:00.000Z',
    late_by: 104_520,
    recorded_at: '2026-03-02T05:02:00.000Z',
    principal: 'local:ada',
  };
  expect(renderAudit({ ask: 'retroactive', rows: [row], basis: 'b' } as AuditOutput)).toBe(`1 row:
- Ada moved to Leiden. · true since 2026-03-01 · recorded 1d 5h after that · 2026-03-02 05:02 UTC by local:ada · id 01985f00-0000-7000-8000-000000000001, version 2`);
});

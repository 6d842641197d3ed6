import { expect, it } from 'vitest';
import { fakePorts } from '../testing/fake-ports.js';
import { renderHistory } from './render-history.js';

const caller = { bank: 'b0', principal: 'p', roles: [] };

it('tells a memory’s life, oldest first', async () =>
  expect(renderHistory(await fakePorts().queries.history({}, caller))).toBe(
    `project.database (id 01985f00-0000-7000-8000-000000000001): current, 2 versions.
2026-01-05 10:30 UTC recorded (version 1) by local:ada with claude-code (origin: user)
  The database is MySQL 8.0.
  true from 2026-01-05 10:30 UTC to 2026-03-01
  why: the first setup
2026-03-02 09:00 UTC revised (version 2) by local:ada
  {"database":"PostgreSQL","version":16}
  true from 2026-03-01 on
  changed: content, metadata`,
  ));

it('tells a read on one line: whom it was served to, and with what score', () => {
  const at = '2026-03-02T09:00:00.000Z';
  const who = { principal: 'local:bob', agent: 'cursor' };
  const entry = { event: 'served' as const, version: 2, score: 0.4321, recorded_at: at, system_from: at, who };
  expect(renderHistory({ memory_id: 'm1', status: 'current', entries: [entry], basis: 'b' })).toBe(
    'm1: current, 0 versions.\n2026-03-02 09:00 UTC served (version 2) to local:bob with cursor, score 0.43',
  );
});

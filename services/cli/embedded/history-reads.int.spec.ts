import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { Embedded } from './open-embedded.js';
import { openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
let home: Embedded;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-history-reads-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
});
afterEach(async () => {
  await home.close();
  await rm(folder, { recursive: true });
});

it('tells whom a memory was served to, with the scores that they were given, and that this was asked', async () => {
  const who = home.caller('history');
  const { memory_id } = await home.commands.write({ content: 'the launch is on Friday', key: 'launch' }, who);
  const found = await home.queries.search({ query: 'when is the launch', min_score: 0 }, who);
  await home.commands.write({ content: 'the launch is on Monday', key: 'launch' }, who);
  const again = await home.queries.search({ query: 'launch', min_score: 0 }, who);
  const served = async () =>
    (await home.queries.history({ memory_id, include_reads: true }, who)).entries.filter(
      ({ event }) => event === 'served',
    );
  expect(await served()).toMatchObject([
    { version: 1, score: found.items[0]!.score, recall_id: found.recall_id, who: { principal: who.principal } },
    { version: 2, score: again.items[0]!.score, recall_id: again.recall_id },
  ]);
  const types: string[] = [];
  for await (const { type } of home.ledger.readAll()) types.push(type);
  expect(types.filter((type) => type === 'AuditRead')).toHaveLength(1);

  const then = { memory_id, include_reads: true, basis: found.basis };
  expect((await home.queries.history(then, who)).entries.map(({ event }) => event)).not.toContain('revised');
  const asked = { memory_ids: [memory_id!], reason: 'r' };
  const { confirm } = await home.commands.erase(asked, who);
  await home.commands.erase({ ...asked, confirm }, who);
  // What was served is known for good; what it said, and what was asked, is gone.
  const entries = (await home.queries.history({ memory_id, include_reads: true }, who)).entries;
  expect(JSON.stringify(entries)).not.toMatch(/Friday|Monday|when is/);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { ErasingDeps } from '#ingest/erase/erasing-deps.js';
import { placeOrder } from '#ingest/erase/order.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { systemSources } from '../embedded/system-sources.js';
import { checkViews } from './check-views.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

it('notices that the ledger was written by a clock that is ahead', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hl-doctor-'));
  const { config } = loadConfig({ flags: { home }, env: {} });
  const open = (now: () => number) => openEmbedded({ config, log: silent, sources: { ...systemSources, now } });
  const ahead = await open(() => Date.now() + 3_600_000);
  await ahead.commands.write({ content: 'x' }, ahead.caller('spec'));
  await ahead.close();
  const here = await open(Date.now);
  expect(await checkViews(async () => here)).toEqual([
    expect.objectContaining({ check: 'views', status: 'well' }),
    expect.objectContaining({ check: 'clock', status: 'warning', says: expect.stringContaining('60 min ahead') }),
  ]);
  await here.close();
  rmSync(home, { recursive: true });
});

it('tells of an erasure that is ordered and not completed, while it is not', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hl-doctor-'));
  const { config } = loadConfig({ flags: { home }, env: {} });
  const opened = await openEmbedded({ config, log: silent });
  const { ledger, vault, sources, commands, caller } = opened;
  const { memory_id } = await commands.write({ content: 'x' }, caller('spec'));
  const erasureId = sources.uuid();
  const order = { erasureId, memories: [String(memory_id)], subjects: [], names: [], fingerprints: true, reason: 'r' };
  // An order is put on record with these alone.
  const deps: Pick<ErasingDeps, 'ledger' | 'vault' | 'sources'> = { ledger, vault, sources };
  await placeOrder(deps as ErasingDeps, caller('erase'), { ...order, ofBank: false });
  const left = { ...opened, commands: { ...commands, resumeErasures: async () => undefined } };
  expect((await checkViews(async () => left)).at(-1)).toMatchObject({
    check: 'erasures',
    status: 'warning',
    says: expect.stringContaining(`1 erasure is ordered and not completed; the first is ${erasureId}`),
  });
  expect((await checkViews(async () => opened)).map(({ check }) => check)).toEqual(['views', 'clock']);
  await opened.close();
  rmSync(home, { recursive: true });
});

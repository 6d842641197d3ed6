import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
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

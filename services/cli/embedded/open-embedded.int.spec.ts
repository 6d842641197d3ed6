import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { openEmbedded } from './open-embedded.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

it('tells a memory of another bank from one that is not there', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hl-embedded-'));
  const { config } = loadConfig({ flags: { home }, env: {} });
  const opened = await openEmbedded({ config, log: silent });
  try {
    const here = opened.caller('spec');
    const elsewhere = { ...here, bank: await opened.commands.bankNamed('elsewhere') };
    const { memory_id } = await opened.commands.write({ content: 'x' }, elsewhere);
    const ask = { memory_id: memory_id!, reason: 'r' };
    await expect(opened.commands.forget(ask, here)).rejects.toMatchObject({ code: 'memory_of_another_bank' });
    await expect(opened.commands.forget({ ...ask, memory_id: 'nowhere' }, here)).rejects.toMatchObject({
      code: 'memory_not_found',
    });
  } finally {
    await opened.close();
    rmSync(home, { recursive: true });
  }
});

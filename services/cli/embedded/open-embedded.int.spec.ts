import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { openEmbedded } from './open-embedded.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hl-embedded-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const open = () => openEmbedded({ config: loadConfig({ flags: { home }, env: {} }).config, log: silent });

it('tells a memory of another bank from one that is not there', async () => {
  const opened = await open();
  const here = opened.caller('spec');
  const elsewhere = { ...here, bank: await opened.commands.bankNamed('elsewhere') };
  const { memory_id } = await opened.commands.write({ content: 'x' }, elsewhere);
  const ask = { memory_id: memory_id!, reason: 'r' };
  await expect(opened.commands.forget(ask, here)).rejects.toMatchObject({ code: 'memory_of_another_bank' });
  await expect(opened.commands.forget({ ...ask, memory_id: 'nowhere' }, here)).rejects.toMatchObject({
    code: 'memory_not_found',
  });
  await opened.close();
});

it.each(['ledger.db', 'keys.db', 'views.db'])('says that %s is a folder', async (name) => {
  mkdirSync(join(home, name));
  await expect(open()).rejects.toMatchObject({
    code: 'no_file',
    message: `${join(home, name)} is a folder, not a file.`,
  });
});

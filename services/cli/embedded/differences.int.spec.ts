import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
let home: Embedded;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-differences-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
});
afterEach(async () => {
  await home.close();
  await rm(folder, { recursive: true });
});

it('of two bases names all that can happen to a memory, by whom and why, with what it said before and says after', async () => {
  const { commands, queries } = home;
  const who = home.caller('spec');
  const ids = new Map<string, string>();
  const write = async (key: string, content = `${key}, at first`, more: object = {}) => {
    const { memory_id = '' } = await commands.write({ key, content, ...more }, who);
    ids.set(key, memory_id);
    return memory_id;
  };
  const forget = (key: string, mode: 'retract' | 'archive' = 'retract') =>
    commands.forget({ memory_id: ids.get(key)!, mode, reason: `${mode} ${key}` }, who);
  const review = (key: string, verdict: 'quarantine' | 'release' | 'reject') =>
    commands.review({ memory_id: ids.get(key)!, verdict, reason: `${verdict} ${key}` }, who);
  for (const key of ['same', 'revised', 'forgotten', 'restored', 'archived', 'quarantined', 'released', 'rejected'])
    await write(key);
  await write('taken out again');
  await write('expired', 'expired, at first', { ttl: 1 });
  await write('erased');
  await forget('restored');
  await review('released', 'quarantine');

  const { basis: from } = await queries.search({ query: 'at first' }, who);
  await write('added');
  await write('revised', 'revised, and later');
  await forget('forgotten');
  await commands.restore({ memory_id: ids.get('restored')!, reason: 'right after all' }, who);
  await forget('archived', 'archive');
  await review('quarantined', 'quarantine');
  await review('released', 'release');
  await review('rejected', 'quarantine');
  await review('rejected', 'reject');
  await forget('taken out again');
  await commands.restore({ memory_id: ids.get('taken out again')!, reason: 'it was meant' }, who);
  const erasing = { memory_ids: [ids.get('erased')!], reason: 'asked to' };
  const { confirm = '' } = await commands.erase(erasing, who);
  expect(await commands.erase({ ...erasing, confirm }, who)).toMatchObject({ status: 'erased' });
  await sleep(1_100);

  const { rows } = await queries.audit({ ask: 'diff', from }, who);
  const named = new Map([...ids].map(([key, id]) => [id, key]));
  const found = new Map(rows.map((row) => [named.get(row.memory_id!)!, row]));
  expect(Object.fromEntries([...found].map(([key, { change }]) => [key, change]))).toEqual({
    added: 'added',
    revised: 'revised',
    forgotten: 'forgotten',
    restored: 'restored',
    archived: 'archived',
    quarantined: 'quarantined',
    released: 'released',
    rejected: 'forgotten',
    expired: 'expired',
    erased: 'erased',
  });
  expect(found.get('revised')).toMatchObject({
    before: { version: 1, content: 'revised, at first' },
    after: { version: 2, content: 'revised, and later' },
  });
  expect(found.get('forgotten')).toMatchObject({ why: 'retract forgotten', after: { status: 'retracted' } });
  expect(found.get('rejected')).toMatchObject({ why: 'reject rejected' });
  expect(found.get('expired')).not.toHaveProperty('event_id');
  for (const [key, { principal }] of found) if (key !== 'expired') expect(principal, key).toMatch(/^local:/);
  expect(JSON.stringify(found.get('erased'))).not.toContain('at first');
  const back = await queries.audit({ ask: 'diff', from, to: from }, who);
  expect(back.rows).toEqual([]);
});

import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homePaths } from '#config/home.js';
import { loadConfig } from '#config/load-config.js';
import { HindsightError } from '#contract/errors.js';
import type { ForgetOutput } from '#contract/forget.js';
import { writeBundle } from '#sealing/key-copy.js';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { sqliteKeyStore } from '#sealing/sqlite/sqlite-key-store.js';
import { checkErasures } from '../doctor/check-erasures.js';
import type { Embedded } from './open-embedded.js';
import { openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
const open: Embedded[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-erasure-'));
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(folder, { recursive: true });
});

async function opened(bank = 'default'): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home: folder, bank } });
  const one = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  open.push(one);
  return one;
}

const code = (expected: string) => expect.objectContaining({ code: expected });

async function erase(home: Embedded, what: object): Promise<ForgetOutput> {
  const who = home.caller('erase');
  const planned = await home.commands.erase({ ...what, reason: 'asked to' }, who);
  return home.commands.erase({ ...what, reason: 'asked to', confirm: planned.confirm }, who);
}

describe('an erasure that cannot be finished', () => {
  it('is not put on record where the copy of the keys cannot be made anew', async () => {
    const { config } = loadConfig({ flags: { home: folder, keyBackup: '/proc/copy.keys' } });
    const home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
    open.push(home);
    const who = home.caller('erase');
    await home.commands.write({ content: 'Ada drinks tea', subjects: ['Ada'] }, who);
    const head = await home.ledger.head();
    await expect(erase(home, { subject: 'Ada' })).rejects.toThrow(code('not_writable'));
    expect(await home.ledger.head()).toBe(head);
  });

  it('says why once, however often it is tried', async () => {
    const place = join(folder, 'place');
    mkdirSync(place);
    const { config } = loadConfig({ flags: { home: folder, keyBackup: join(place, 'copy.keys') } });
    const said: string[] = [];
    const log = plainLog('info', (line) => said.push(line));
    const home = await openEmbedded({ config, log });
    open.push(home);
    const who = home.caller('erase');
    await home.commands.write({ content: 'Ada drinks tea', subjects: ['Ada'] }, who);
    const asked = { subject: 'Ada', reason: 'asked to' };
    const { confirm } = await home.commands.erase(asked, who);
    // Between the question whether it can be done and the doing of it.
    const { mayDestroy } = home.vault;
    Object.assign(home.vault, {
      mayDestroy: () => mayDestroy().then(() => rmSync(place, { recursive: true })),
    });
    for (let time = 0; time < 4; time++)
      expect(await home.commands.erase({ ...asked, confirm }, who)).toMatchObject({
        status: 'erasing',
        erasure: { waits_for: expect.stringContaining('cannot be made anew') },
      });
    expect(said.filter((line) => line.includes('goes on later'))).toHaveLength(1);
    mkdirSync(place);
    expect(await home.commands.erase({ ...asked, confirm }, who)).toMatchObject({ status: 'erased' });
  });

  /** A home of which a copy of the keys was made; in it an erasure is ordered with a setting, and the keys are away when they are to go. */
  async function orderedHalfWay(keyBackup: string, asks: (home: Embedded, confirm?: string) => Promise<ForgetOutput>) {
    const before = await opened();
    const who = before.caller('write');
    await before.commands.write({ content: 'Ada drinks tea', subjects: ['Ada'] }, who);
    const keyStore = sqliteKeyStore(await openKeysDatabase(homePaths(folder).keys, { ledger: before.ledger.id }));
    await writeBundle(keyStore, join(folder, 'former.keys'), before.ledger.id, Date.now());
    await keyStore.close();
    const { config } = loadConfig({ flags: { home: folder, keyBackup }, env: {} });
    const home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
    Object.assign(home.vault, {
      destroy: async () => Promise.reject(new HindsightError('keys_unreachable', 'The keys are away.')),
    });
    const { confirm } = await asks(home);
    expect(await asks(home, confirm)).toMatchObject({ status: 'erasing' });
    await home.close();
    await before.close();
    open.length = 0;
  }

  async function reopened(keyBackup?: string) {
    const said: string[] = [];
    const { config } = loadConfig({ flags: { home: folder, keyBackup }, env: {} });
    const home = await openEmbedded({ config, log: plainLog('info', (line) => said.push(line)) });
    open.push(home);
    await home.projector.catchUp();
    await home.commands.resumeErasures();
    await home.projector.catchUp();
    return { home, said, unfinished: await home.views.reader().unfinishedErasures() };
  }

  it.each<[string, (home: Embedded, confirm?: string) => Promise<ForgetOutput>]>([
    [
      'an erasure',
      (home, confirm) => home.commands.erase({ subject: 'Ada', reason: 'r', confirm }, home.caller('erase')),
    ],
    [
      'the deletion of a bank',
      (home, confirm) => home.commands.eraseBank({ reason: 'r', confirm }, home.caller('bank')),
    ],
  ])('and was ordered without a copy of the keys is finished by whoever comes next: %s', async (_what, asks) => {
    await orderedHalfWay('none', asks);
    const { home, unfinished } = await reopened();
    expect(unfinished).toEqual([]);
    const types: string[] = [];
    for await (const { type } of home.ledger.readAll()) types.push(type);
    expect(types.filter((type) => type === 'ErasureCompleted')).toHaveLength(1);
  });

  it('for want of a copy of the keys says what to do, and is finished once that is done', async () => {
    await orderedHalfWay(join(folder, 'renewed.keys'), (home, confirm) =>
      home.commands.erase({ subject: 'Ada', reason: 'r', confirm }, home.caller('erase')),
    );
    const waiting = await reopened();
    expect(waiting.unfinished).toHaveLength(1);
    expect(checkErasures(waiting.unfinished)[0]!.mend).toContain('HINDSIGHT_LEDGER_KEY_BACKUP');
    expect(waiting.said.join('\n')).toMatch(/once HINDSIGHT_LEDGER_KEY_BACKUP names the file .* or says none/);
    await waiting.home.close();
    open.length = 0;
    expect((await reopened('none')).unfinished).toEqual([]);
  });
});

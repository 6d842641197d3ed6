import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homePaths } from '#config/home.js';
import { loadConfig } from '#config/load-config.js';
import { decodeEnvelope } from '#events/envelope.js';
import { recordedEpoch } from '#ledger/record-rotation.js';
import { backupPlace } from '#ledger/restore-ledger.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import { masterKeyFile } from '#sealing/master-key-file.js';
import { bankNames } from '../embedded/bank-names.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { systemSources } from '../embedded/system-sources.js';
import { openHomeStores } from '../migrate/home-stores.js';
import type { Opened } from '../opened.js';
import { contentsCheck } from '../proof/check-contents.js';
import { createBackup, keysOf } from './create-backup.js';
import { readBackup, restoreBackup } from './restore-backup.js';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const tools = { now: systemSources.now, uuid: systemSources.uuid, principal: 'os:tester' };
let folder: string;
let homes: number;
const opened: Opened[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hl-backup-'));
  homes = 0;
});
afterEach(async () => {
  await closeAll();
  rmSync(folder, { recursive: true });
});
const closeAll = async () => {
  for (const each of opened.splice(0)) await each.close();
};

async function embedded(home: string, keyBackup?: string, bank?: string) {
  const { config } = loadConfig({ flags: { home, keyBackup, bank }, env: {} });
  const one = await openEmbedded({ config, log });
  opened.push(one);
  return { ...one, who: one.caller('spec') };
}

/** A home with memories, some about a person. */
async function filled(home = join(folder, 'first')) {
  const one = await embedded(home);
  for (let day = 1; day <= 20; day++)
    await one.commands.write(
      { content: `the deploy of day ${day} took ${day * 3} minutes`, key: `deploy.${day % 7}` },
      one.who,
    );
  for (const content of ['Adelheid likes otters', 'Adelheid lives in Ghent'])
    await one.commands.write({ content, subjects: ['Adelheid'] }, one.who);
  await one.queries.search({ query: 'where does Adelheid live' }, one.who);
  return one;
}

async function backedUp(home: string, file = join(folder, 'copy.events'), signal?: AbortSignal) {
  const from = await openHomeStores(home, homePaths(home).masterKey);
  const made = await createBackup(from, file, systemSources.now, signal ? { signal } : {});
  await from.close();
  return made;
}

/** A home that holds nothing but a master key. */
function emptyHome(masterKey: string): string {
  const home = join(folder, `restored-${++homes}`);
  mkdirSync(home);
  cpSync(masterKey, homePaths(home).masterKey);
  return home;
}

async function restored(
  home: string,
  files: { events: string; keys?: string; erasures?: string },
  { eraseMissing = false, ...options }: Parameters<typeof restoreBackup>[3] & { eraseMissing?: boolean } = {},
) {
  const { masterKey, keys } = homePaths(home);
  const all = { keys: keysOf(files.events), ...files };
  const read = await readBackup(all, masterKeyFile(masterKey), { begun: existsSync(keys), eraseMissing });
  const to = await openHomeStores(home, masterKey, {
    ledger: read.head.ledger,
    from: { id: backupPlace, shown: 'the backup' },
  });
  return restoreBackup(read, to, tools, options).finally(() => to.close());
}

/** All is done but that the place takes appends. */
async function stoppedAtTheEnd(
  home: string,
  given: { events: string; keys?: string; erasures?: string },
  eraseMissing: boolean,
) {
  const { masterKey } = homePaths(home);
  const files = { keys: keysOf(given.events), ...given };
  const read = await readBackup(files, masterKeyFile(masterKey), { eraseMissing });
  const from = { id: backupPlace, shown: 'the backup' };
  const { place, keys, close } = await openHomeStores(home, masterKey, { ledger: read.head.ledger, from });
  const stopping = { ...place, open: async () => Promise.reject(new Error('killed')) };
  await expect(restoreBackup(read, { place: stopping, keys }, tools)).rejects.toThrow('killed');
  await close();
}

async function erase(one: Awaited<ReturnType<typeof embedded>>, subject: string) {
  const eraser = { ...one.who, roles: [...one.who.roles, 'eraser' as const] };
  const { confirm } = await one.commands.erase({ subject, reason: 'asked to' }, eraser);
  let done = await one.commands.erase({ subject, reason: 'asked to', confirm }, eraser);
  for (let tries = 0; done.status !== 'erased' && tries < 20; tries++)
    done = await one.commands.erase({ subject, reason: 'asked to', confirm }, eraser);
  expect(done.status).toBe('erased');
  expect(done.forgotten).toHaveLength(2);
}

const texts = async (one: Awaited<ReturnType<typeof embedded>>, query: string) =>
  (await one.queries.search({ query, top_k: 50 }, one.who)).items.map(({ content }) => String(content));

describe('a backup', () => {
  it('is made while others write, and holds neither content nor the master key', async () => {
    const one = await filled();
    const writes = Array.from({ length: 30 }, (_, at) => one.commands.write({ content: `meanwhile ${at}` }, one.who));
    const made = await backedUp(join(folder, 'first'));
    await Promise.all(writes);
    expect(made.events).toBeGreaterThanOrEqual(22);
    const key = readFileSync(homePaths(join(folder, 'first')).masterKey, 'latin1')
      .split('\n')[2]!
      .split(' ')[1]!;
    for (const file of [made.file, made.keys]) {
      const text = readFileSync(file, 'latin1');
      for (const secret of ['Adelheid', 'otter', 'deploy', key]) expect(text.includes(secret), secret).toBe(false);
    }
    expect(readdirSync(folder).filter((name) => name.includes('writing'))).toEqual([]);
  });

  it('comes back as it was: times, hashes, answers at a basis', async () => {
    const one = await filled();
    const before = await one.queries.search({ query: 'how long did the deploy take' }, one.who);
    const head = await one.ledger.head();
    const { masterKey } = homePaths(one.config.home);
    const made = await backedUp(one.config.home);
    const home = emptyHome(masterKey);
    const done = await restored(home, { events: made.file });
    expect(done).toMatchObject({ ledger: one.ledger.id, events: made.events });

    const two = await embedded(home);
    expect(await verifyLedger(two.ledger)).toMatchObject({ events: made.events, broken: [], missing: [] });
    expect(await two.ledger.head()).toBe(head);
    const again = await two.queries.search({ query: 'how long did the deploy take', basis: before.basis }, two.who);
    expect(again.items).toEqual(before.items);
    expect((await two.commands.write({ content: 'and on it goes' }, two.who)).status).toBe('stored');
  });

  it('goes only where no ledger is, and is finished where a restore stopped in the middle', async () => {
    const one = await filled();
    for (let part = 0; part < 6; part++)
      await Promise.all(
        Array.from({ length: 100 }, (_, at) => one.commands.write({ content: `n${part}.${at}` }, one.who)),
      );
    const { masterKey } = homePaths(one.config.home);
    const made = await backedUp(one.config.home);
    await expect(restored(one.config.home, { events: made.file })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('name another home by --home'),
    });
    const other = await filled(join(folder, 'of-another'));
    await expect(restored(other.config.home, { events: made.file })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('Give a home without a ledger: by --home'),
    });

    const home = emptyHome(masterKey);
    const stop = new AbortController();
    const stopped = restored(home, { events: made.file }, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toThrow();
    const half = await embedded(home);
    await expect(half.commands.write({ content: 'too early' }, half.who)).rejects.toMatchObject({
      code: 'ledger_moved',
    });
    await closeAll();
    expect(await restored(home, { events: made.file })).toMatchObject({ events: made.events });
    expect((await texts(await embedded(home), 'otters'))[0]).toContain('otters');
  });

  it.each<[string, (text: string) => string, string]>([
    ['is cut', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), 'ledger_corrupt'],
    ['has a changed byte', (text) => text.replace('"recordedAt":"2', '"recordedAt":"1'), 'ledger_corrupt'],
    ['lacks an event', (text) => text.split('\n').toSpliced(3, 1).join('\n'), 'ledger_corrupt'],
    ['is something else', () => 'hello\nworld\n', 'invalid_input'],
    ['is of a newer release', (text) => text.replace('ledger events 1', 'ledger events 2'), 'newer_format'],
  ])('that %s is refused before anything is made', async (_how, change, code) => {
    const one = await filled();
    const made = await backedUp(one.config.home);
    writeFileSync(made.file, change(readFileSync(made.file, 'utf8')));
    const home = emptyHome(homePaths(one.config.home).masterKey);
    await expect(restored(home, { events: made.file })).rejects.toMatchObject({ code });
    expect(readdirSync(home)).toEqual(['master.key']);
  });

  it('needs keys that are its own, whole and as new, and their master key', async () => {
    const one = await filled();
    const earlier = await backedUp(one.config.home, join(folder, 'earlier.events'));
    await one.commands.write({ content: 'later' }, one.who);
    const made = await backedUp(one.config.home);
    const { masterKey } = homePaths(one.config.home);
    const into = (files: { events: string; keys?: string }) => restored(emptyHome(masterKey), files);
    await expect(into({ events: made.file, keys: earlier.keys })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(into({ events: made.file, keys: join(folder, 'none') })).rejects.toMatchObject({
      code: 'file_not_found',
    });
    const other = await filled(join(folder, 'other'));
    const theirs = await backedUp(other.config.home, join(folder, 'theirs.events'));
    await expect(into({ events: made.file, keys: theirs.keys })).rejects.toMatchObject({ code: 'invalid_input' });
    const home = emptyHome(homePaths(other.config.home).masterKey);
    await expect(restored(home, { events: made.file })).rejects.toMatchObject({ code: 'master_key_wrong' });
    rmSync(homePaths(home).masterKey);
    await expect(restored(home, { events: made.file })).rejects.toMatchObject({ code: 'master_key_missing' });
    writeFileSync(made.keys, readFileSync(made.keys, 'utf8').replace(/"key":"..../, '"key":"AAAA'));
    await expect(into({ events: made.file })).rejects.toMatchObject({ code: 'ledger_corrupt' });
  });
});

describe('a backup from before an erasure', () => {
  it('brings nothing back with the keys of after it, and does not open with its own', async () => {
    const one = await filled();
    const { masterKey } = homePaths(one.config.home);
    const old = await backedUp(one.config.home, join(folder, 'old.events'));
    const keyFile = join(folder, 'copy.keys');
    await closeAll();
    const later = await embedded(one.config.home, keyFile);
    await erase(later, 'Adelheid');
    await expect(restored(emptyHome(masterKey), { events: old.file })).rejects.toMatchObject({
      code: 'master_key_wrong',
      message: expect.stringMatching(
        /is not the master key of .*old\.events\.keys .*newer copy of the keys with --keys/,
      ),
    });

    const home = emptyHome(masterKey);
    const done = await restored(home, { events: old.file, keys: keyFile, erasures: homePaths(one.config.home).ledger });
    expect(done.again).toMatchObject({ erasures: 1, memories: 2 });
    expect(done.missing).toBeUndefined();
    await expectHealthy(home, old.events);
  });

  /** Whatever was erased is gone, and said to be: everything opens or is told to be erased, also where it is projected anew. */
  async function expectHealthy(home: string, former: number) {
    const two = await embedded(home);
    await two.commands.resumeErasures();
    await two.projector.catchUp();
    expect(await two.views.reader().unfinishedErasures()).toEqual([]);
    expect(await two.projector.deadLetters()).toEqual([]);
    const check = contentsCheck(two.vault);
    let gone = 0;
    for await (const event of two.ledger.readAll()) {
      await check.take(event);
      if (event.type === 'MemoryErased') gone += 1;
    }
    expect(check.found()).toMatchObject({ faults: [] });
    const verified = await verifyLedger(two.ledger);
    expect(verified).toMatchObject({ broken: [], missing: [] });
    expect(verified.events).toBeGreaterThan(former);
    expect(await recordedEpoch(two.ledger)).toBe(await two.vault.epoch());
    expect((await texts(two, 'otters Ghent Adelheid')).join()).not.toMatch(/Adelheid|otter|Ghent/);
    expect(await texts(two, 'deploy of day 20')).toContain('the deploy of day 20 took 60 minutes');
    const again = await two.commands.write({ content: 'Adelheid is back', subjects: ['Adelheid'] }, two.who);
    expect(again.status).toBe('stored');
    expect((await texts(two, 'Adelheid back')).join()).toContain('Adelheid is back');
    return { ...two, gone };
  }

  it('is refused before anything is made where its keys are of after it and nothing says what was erased', async () => {
    const one = await filled();
    const { masterKey } = homePaths(one.config.home);
    const old = await backedUp(one.config.home, join(folder, 'old.events'));
    await closeAll();
    const keyFile = join(folder, 'copy.keys');
    await erase(await embedded(one.config.home, keyFile), 'Adelheid');
    const home = emptyHome(masterKey);
    for (const erasures of [undefined, old.file])
      await expect(
        restored(home, { events: old.file, keys: keyFile, ...(erasures ? { erasures } : {}) }),
      ).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/no key any more for 2 memories.*--erasures .*--erase-missing/) as unknown,
        details: expect.objectContaining({ memories: 2, people: 1, banks: 0 }) as unknown,
      });
    expect(readdirSync(home)).toEqual(['master.key']);
  });

  it('erases anew what its keys have none for, where nobody knows more', async () => {
    const one = await filled();
    const { masterKey } = homePaths(one.config.home);
    await one.commands.alias({ name: 'Adelheid', alias: 'Heidi' }, one.who);
    const { memory_id } = await one.commands.write({ content: 'a note to be erased', key: 'note' }, one.who);
    const old = await backedUp(one.config.home, join(folder, 'old.events'));
    await closeAll();
    const keyFile = join(folder, 'copy.keys');
    const later = await embedded(one.config.home, keyFile);
    await erase(later, 'Adelheid');
    const asked = { memory_ids: [memory_id!], reason: 'asked to' };
    const { confirm } = await later.commands.erase(asked, later.who);
    expect(await later.commands.erase({ ...asked, confirm }, later.who)).toMatchObject({ status: 'erased' });
    // A person who is written about again has another secret.
    await later.commands.write({ content: 'Adelheid once more', subjects: ['Adelheid'] }, later.who);
    await closeAll();
    await backedUp(one.config.home, join(folder, 'new.events'));

    for (const [keys, at] of [
      [keyFile, 'before she was written about again'],
      [join(folder, 'new.events.keys'), 'after it'],
    ] as const) {
      const home = emptyHome(masterKey);
      const done = await restored(home, { events: old.file, keys }, { eraseMissing: true });
      expect(done.missing, at).toMatchObject({ memories: 3, people: 2, banks: 0 });
      const two = await expectHealthy(home, old.events);
      expect(two.gone).toBe(3);
      const noted = await two.commands.write({ content: 'a note once more', key: 'note' }, two.who);
      expect(noted).toMatchObject({ status: 'stored', memory_id });
      const certificates: unknown[] = [];
      for await (const { type, bytes } of two.ledger.readAll())
        if (type === 'ErasureCompleted') certificates.push(decodeEnvelope(bytes).data.memories);
      expect(certificates).toEqual([3]);
    }
  });

  it('erases anew a bank that was deleted since, and is finished where it stopped in the middle', async () => {
    const one = await filled();
    const { masterKey } = homePaths(one.config.home);
    const doomed = await embedded(one.config.home, undefined, 'doomed');
    await doomed.commands.write({ content: 'the moon is far' }, doomed.who);
    const old = await backedUp(one.config.home, join(folder, 'old.events'));
    await closeAll();
    const keyBackup = join(folder, 'copy.keys');
    const later = await embedded(one.config.home, keyBackup, 'doomed');
    const { confirm } = await later.commands.eraseBank({ reason: 'r' }, later.who);
    expect((await later.commands.eraseBank({ reason: 'r', confirm }, later.who)).status).toBe('erased');
    await erase(await embedded(one.config.home, keyBackup), 'Adelheid');
    await closeAll();

    const home = emptyHome(masterKey);
    const files = { events: old.file, keys: keyBackup };
    await expect(restored(home, files)).rejects.toThrow('for 3 memories, 1 name of a person, 1 deleted bank,');
    await stoppedAtTheEnd(home, files, true);
    await expect(restored(home, files)).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await restored(home, files, { eraseMissing: true })).missing).toMatchObject({
      memories: 2,
      people: 1,
      banks: 1,
    });
    const two = await expectHealthy(home, old.events);
    expect(await bankNames(two).all()).toHaveLength(1);
  });

  it.each(['a later backup', 'ledger.db'])('is erased again by what %s knows, also with its own keys', async (what) => {
    const one = await filled();
    const { masterKey, ledger } = homePaths(one.config.home);
    const old = await backedUp(one.config.home, join(folder, 'old.events'));
    const home = emptyHome(masterKey);
    await closeAll();
    const after = await embedded(one.config.home, 'none');
    await erase(after, 'Adelheid');
    await after.commands.write({ content: 'written after it' }, after.who);
    const erasures = what === 'ledger.db' ? ledger : (await backedUp(one.config.home, join(folder, 'new.events'))).file;

    await stoppedAtTheEnd(home, { events: old.file, erasures }, false);
    // The keys have moved on: what is missing is seen from those that are there.
    await expect(restored(home, { events: old.file })).rejects.toMatchObject({ code: 'invalid_input' });
    const done = await restored(home, { events: old.file, erasures });
    expect(done.again).toMatchObject({ erasures: 1, memories: 2, epoch: 2 });
    const two = await embedded(home);
    await two.commands.resumeErasures();
    expect(await recordedEpoch(two.ledger)).toBe(2);
    expect((await texts(two, 'otters Ghent Adelheid')).join()).not.toMatch(/Adelheid|otter|Ghent/);
    expect(await texts(two, 'deploy of day 20')).toContain('the deploy of day 20 took 60 minutes');
    expect(await verifyLedger(two.ledger)).toMatchObject({ broken: [], missing: [] });
    const types: string[] = [];
    for await (const { type } of two.ledger.readAll()) types.push(type);
    for (const type of ['ErasureOrdered', 'SubjectErased', 'MemoryErased', 'ErasureCompleted'])
      expect(types).toContain(type);
  });
});

describe('an erasure where a copy of the keys was made', () => {
  it('is refused before anything is on record, unless the copy is made anew, or nobody wants one', async () => {
    const one = await filled();
    await backedUp(one.config.home);
    const eraser = { ...one.who, roles: [...one.who.roles, 'eraser' as const] };
    const { confirm } = await one.commands.erase({ subject: 'Adelheid', reason: 'x' }, eraser);
    const refused = one.commands.erase({ subject: 'Adelheid', reason: 'x', confirm }, eraser);
    await expect(refused).rejects.toMatchObject({ code: 'key_backup_needed' });
    for await (const { type } of one.ledger.readAll()) expect(type).not.toBe('ErasureOrdered');
    await closeAll();

    const copy = join(folder, 'renewed.keys');
    await erase(await embedded(one.config.home, copy), 'Adelheid');
    expect(readFileSync(copy, 'utf8')).toContain('"epoch":2');
  });
});

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#sqlite/open-database.js';
import { unwrapBucket, wrapBucket } from '../bucket.js';
import { encodeKeyring, keyCheckOf, wrappingKeyOf } from '../master-key.js';
import { masterKeyFile } from '../master-key-file.js';
import type { Vault } from '../vault.js';
import { type FileVaultOptions, openFileVault } from './open-file-vault.js';
import { sqliteKeyStore } from './sqlite-key-store.js';

const sources = { random: (bytes: number): Uint8Array => randomBytes(bytes) };
let home: string;
let paths: { keysDb: string; masterKeyFile: string };
const opened: Vault[] = [];

const open = async (options: Partial<FileVaultOptions> = {}) => {
  const vault = await openFileVault(paths, sources, { ledgerHasEvents: false, ...options });
  opened.push(vault);
  return vault;
};
const closeAll = async () => {
  for (const vault of opened.splice(0)) await vault.close();
};

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hl-vault-'));
  paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
});
afterEach(async () => {
  await closeAll();
  await rm(home, { recursive: true });
});

describe('a home that is used again', () => {
  it('finds every key that was handed out before', async () => {
    const before = await open();
    const secrets = await Promise.all(Array.from({ length: 200 }, () => before.freshSecret()));
    const bank = await before.bankKeys('b1');
    const subject = await before.subjectSecret('b1', 's1');
    const ledgerKey = await before.ledgerKey();
    await closeAll();

    const after = await open({ ledgerHasEvents: true });
    expect(new Set(secrets.map(({ id }) => id)).size).toBe(200);
    for (const { id, secret } of secrets) expect(Buffer.from((await after.secret(id))!)).toEqual(Buffer.from(secret));
    expect(hexOf(await after.bankKeys('b1'))).toEqual(hexOf(bank));
    expect(hexOf({ subject: await after.subjectSecret('b1', 's1') })).toEqual(hexOf({ subject }));
    expect(hexOf({ ledgerKey: await after.ledgerKey() })).toEqual(hexOf({ ledgerKey }));
  });

  it('gives each bank and each subject keys of their own', async () => {
    const vault = await open();
    const keys = [
      ...Object.values(hexOf(await vault.bankKeys('b1'))),
      ...Object.values(hexOf(await vault.bankKeys('b2'))),
      ...Object.values(hexOf({ s: await vault.subjectSecret('b1', 's') })),
      ...Object.values(hexOf({ s: await vault.subjectSecret('b2', 's') })),
    ].filter((each) => /^[0-9a-f]{64}$/.test(each));
    expect(new Set(keys).size).toBe(8);
  });

  it('makes nothing when it only reads', async () => {
    const vault = await open();
    expect(await vault.knownBankKeys('b1')).toBeUndefined();
    expect(await vault.knownSubjectSecret('b1', 's1')).toBeUndefined();
    expect(await vault.secret('nobody.0')).toBeUndefined();
    expect(await vault.secret('no key id')).toBeUndefined();
  });

  it('finds what another process made meanwhile', async () => {
    const one = await open();
    const other = await open();
    const made = await other.freshSecret();
    expect(hexOf({ s: await one.secret(made.id) })).toEqual(hexOf({ s: made.secret }));
    const [a, b] = await Promise.all([one.bankKeys('b1'), other.bankKeys('b1')]);
    expect(hexOf(a)).toEqual(hexOf(b));
    expect(hexOf((await one.knownBankKeys('b1'))!)).toEqual(hexOf(a));
  });

  it('holds no secret in the clear, in no file', async () => {
    const vault = await open();
    const secrets = [(await vault.freshSecret()).secret, ...Object.values(await vault.bankKeys('b1')).slice(1)];
    for (const name of await readdir(home)) {
      const bytes = await readFile(join(home, name));
      for (const secret of secrets) expect(bytes.includes(Buffer.from(secret as Uint8Array))).toBe(false);
    }
  });
});

describe('the master key', () => {
  it('is a file that only its owner may read, and leaves nothing beside it', async () => {
    await open();
    expect((await stat(paths.masterKeyFile)).mode & 0o777).toBe(0o600);
    expect((await readdir(home)).filter((name) => name.startsWith('master'))).toEqual(['master.key']);
  });

  it('is missed when it is gone, and no other is made', async () => {
    await open();
    await closeAll();
    await rm(paths.masterKeyFile);
    await expect(open()).rejects.toMatchObject({ code: 'master_key_missing' });
    expect(await readdir(home)).not.toContain('master.key');
  });

  it('of another home is refused', async () => {
    await open();
    await closeAll();
    const mine = await readFile(paths.masterKeyFile);
    await rm(paths.masterKeyFile);
    await rm(paths.keysDb);
    await open();
    await closeAll();
    await writeFile(paths.masterKeyFile, mine);
    await expect(open({ ledgerHasEvents: true })).rejects.toMatchObject({ code: 'master_key_wrong' });
  });

  it.each([
    ['is empty', 0],
    ['lost its last byte but one', -2],
    ['is cut after its first line', 40],
  ])('that %s is refused', async (_how, length) => {
    await open();
    await closeAll();
    const size = (await stat(paths.masterKeyFile)).size;
    await truncate(paths.masterKeyFile, length < 0 ? size + length : length);
    await expect(open()).rejects.toMatchObject({ code: 'master_key_wrong' });
  });

  it('of another kind is refused, and one of a newer release says so', async () => {
    await open();
    await closeAll();
    await writeFile(paths.masterKeyFile, randomBytes(100));
    await expect(open()).rejects.toMatchObject({ code: 'master_key_wrong' });
    await writeFile(paths.masterKeyFile, 'hindsight-ledger master key 2\n');
    await expect(open()).rejects.toMatchObject({ code: 'newer_format' });
  });

  it('that others may read is warned about', async () => {
    const sentences: string[] = [];
    await open({ warn: (sentence) => sentences.push(sentence) });
    expect(sentences).toEqual([]);
    await chmod(paths.masterKeyFile, 0o644);
    await open({ warn: (sentence) => sentences.push(sentence) });
    expect(sentences).toEqual([expect.stringContaining('mode 0644')]);
  });

  it('is found again after a creation that was killed, whose leavings are removed', async () => {
    const left = `${paths.masterKeyFile}.creating-1`;
    await writeFile(left, 'x');
    await open();
    expect(await readdir(home)).toContain('master.key.creating-1');
    await utimes(left, 0, 0);
    await open();
    expect(await readdir(home)).not.toContain('master.key.creating-1');
  });
});

describe('keys.db', () => {
  it('is missed when it is gone and the ledger has events', async () => {
    await expect(open({ ledgerHasEvents: true })).rejects.toMatchObject({ code: 'keys_missing' });
    expect(await readdir(home)).toEqual([]);
    await writeFile(paths.keysDb, '');
    await expect(open({ ledgerHasEvents: true })).rejects.toMatchObject({ code: 'keys_missing' });
    expect(await readdir(home)).not.toContain('master.key');
  });

  it('of a newer format is refused', async () => {
    await open();
    await closeAll();
    const db = openDatabase(paths.keysDb, { synchronous: 'FULL' });
    db.exec('PRAGMA user_version = 2');
    db.close();
    await expect(open()).rejects.toMatchObject({ code: 'newer_format' });
  });

  it('that is no database is refused', async () => {
    await writeFile(paths.keysDb, randomBytes(8192));
    await expect(open()).rejects.toMatchObject({ code: 'ledger_corrupt', details: { file: paths.keysDb } });
  });

  it('says key_not_found for a bucket whose bytes were changed', async () => {
    const { id } = await (await open()).freshSecret();
    await closeAll();
    const db = openDatabase(paths.keysDb, { synchronous: 'FULL' });
    db.exec('UPDATE buckets SET secrets = zeroblob(length(secrets))');
    db.close();
    await expect((await open()).secret(id)).rejects.toMatchObject({ code: 'key_not_found' });
  });

  it('is read where nothing may be written', async () => {
    const before = await open();
    const { id, secret } = await before.freshSecret();
    await before.bankKeys('b1');
    await closeAll();
    const reading = await open({ readOnly: true, ledgerHasEvents: true });
    expect(hexOf({ s: await reading.secret(id) })).toEqual(hexOf({ s: secret }));
    expect(await reading.knownBankKeys('b1')).toBeDefined();
    expect(await reading.bankKeys('b1')).toBeDefined();
    await expect(reading.bankKeys('b2')).rejects.toMatchObject({ code: 'not_writable' });
  });
});

describe('a new epoch, as an erase by another process starts one', () => {
  it('is noticed at the next insert, and the keys stay the same', async () => {
    const vault = await open();
    const { id, secret } = await vault.freshSecret();
    await moveToNextEpoch();
    const bank = await vault.bankKeys('b1');
    await closeAll();
    const after = await open({ ledgerHasEvents: true });
    expect(hexOf({ s: await after.secret(id) })).toEqual(hexOf({ s: secret }));
    expect(hexOf(await after.bankKeys('b1'))).toEqual(hexOf(bank));
  });
});

/** The switch of docs/decisions/0004-keys.md, without anything erased. */
async function moveToNextEpoch(): Promise<void> {
  const db = openDatabase(paths.keysDb, { synchronous: 'FULL' });
  const file = masterKeyFile(paths.masterKeyFile);
  const old = (await file.read())!;
  const next = randomBytes(32);
  await writeFile(paths.masterKeyFile, encodeKeyring(new Map([...old, [2, next]])));
  const store = sqliteKeyStore(db);
  for (const { id } of db.prepare('SELECT id FROM buckets').all() as { id: string }[]) {
    const bucket = unwrapBucket((await store.bucket(id))!, wrappingKeyOf(old.get(1)!));
    const wrapped = wrapBucket(bucket, 2, wrappingKeyOf(next), sources);
    db.prepare('UPDATE buckets SET sealed_in = 2, secrets = ? WHERE id = ?').run(wrapped.blob, id);
    db.prepare('UPDATE bucket_keys SET epoch = 2, wrapped = ? WHERE bucket = ?').run(wrapped.wrappedKey, id);
  }
  const { epoch, check } = keyCheckOf(2, next);
  db.prepare('INSERT INTO epochs (epoch, key_check) VALUES (?, ?)').run(epoch, check);
  db.exec('DELETE FROM epochs WHERE epoch = 1');
  await writeFile(paths.masterKeyFile, encodeKeyring(new Map([[2, next]])));
  db.close();
}

function hexOf(keys: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keys).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
    ]),
  );
}

describe('keys of another ledger', () => {
  it('are refused, with their own master key too, so that nothing is written beside events that they do not open', async () => {
    await open({ ledger: 'aaaa' });
    await closeAll();
    await expect(open({ ledger: 'bbbb', ledgerHasEvents: true })).rejects.toThrow(
      /holds the keys of ledger aaaa, but the ledger here is bbbb/,
    );
    await expect(open({ ledger: 'bbbb' })).rejects.toMatchObject({
      code: 'keys_missing',
      hint: expect.stringContaining('ledger.db and keys.db belong together'),
    });
    await expect(open({ ledger: 'aaaa', readOnly: true, ledgerHasEvents: true })).resolves.toBeDefined();
  });

  it('are told apart also when a file from before had no owner written in it', async () => {
    await open();
    await closeAll();
    await open({ ledger: 'aaaa' });
    await closeAll();
    await expect(open({ ledger: 'bbbb' })).rejects.toMatchObject({ code: 'keys_missing' });
  });
});

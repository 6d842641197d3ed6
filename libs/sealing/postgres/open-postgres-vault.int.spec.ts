import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { unwrapBucket, wrapBucket } from '../bucket.js';
import { encodeKeyring, keyCheckOf, wrappingKeyOf } from '../master-key.js';
import { masterKeyFile } from '../master-key-file.js';
import type { Vault } from '../vault.js';
import { openKeysDatabase } from './open-keys-database.js';
import { openPostgresVault, type PostgresVaultOptions } from './open-postgres-vault.js';
import { postgresKeyStore } from './postgres-key-store.js';

const sources = { random: (bytes: number): Uint8Array => randomBytes(bytes) };
let database: TestDatabase;
let folder: string;
let masterKey: string;
const opened: Vault[] = [];

const open = async (options: Partial<PostgresVaultOptions> = {}, url = database.url) => {
  const places = { url, masterKeyFile: masterKey };
  const vault = await openPostgresVault(places, sources, { ledger: 'aaaa', ledgerHasEvents: false, ...options });
  opened.push(vault);
  return vault;
};
const closeAll = async () => {
  for (const vault of opened.splice(0)) await vault.close();
};
const sql = async (statement: string, url = database.url) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

withEngine('postgres')('a vault in PostgreSQL', () => {
  beforeEach(async () => {
    database = await freshDatabase();
    folder = await mkdtemp(join(tmpdir(), 'hl-pg-vault-'));
    masterKey = join(folder, 'master.key');
  });
  afterEach(async () => {
    await closeAll();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  describe('a database of keys that is used again', () => {
    it('finds every key that was handed out before', async () => {
      const before = await open();
      const secrets = await Promise.all(Array.from({ length: 200 }, () => before.freshSecret()));
      const bank = await before.bankKeys('b1');
      const named = [await before.ledgerKey(), await before.serviceKey(), await before.subjectSecret('b1', 's1')];
      await closeAll();

      const after = await open({ ledgerHasEvents: true });
      for (const { id, secret } of secrets) expect(hex(await after.secret(id))).toBe(hex(secret));
      expect(await after.knownBankKeys('b1')).toEqual(bank);
      const again = [await after.ledgerKey(), await after.serviceKey(), await after.knownSubjectSecret('b1', 's1')];
      expect(again.map(hex)).toEqual(named.map(hex));
      expect(new Set(again.map(hex)).size).toBe(3);
    });

    it('finds what another process made meanwhile', async () => {
      const one = await open();
      const other = await open();
      const made = await other.freshSecret();
      expect(hex(await one.secret(made.id))).toBe(hex(made.secret));
      const [a, b] = await Promise.all([one.bankKeys('b1'), other.bankKeys('b1')]);
      expect(a).toEqual(b);
      expect(hex(await one.serviceKey())).toBe(hex(await other.serviceKey()));
    });

    it('holds no secret in the clear', async () => {
      const vault = await open();
      const { secret } = await vault.freshSecret();
      await vault.bankKeys('b1');
      for (const table of ['buckets', 'bucket_keys', 'epochs', 'names']) {
        const rows = await sql(`SELECT * FROM hindsight_keys.${table}`);
        expect(rows.length).toBeGreaterThan(0);
        for (const value of rows.flatMap((row) => Object.values(row)))
          if (value instanceof Uint8Array) expect(Buffer.from(value).includes(Buffer.from(secret))).toBe(false);
      }
    });

    it('writes durably also where the role or the database say otherwise', async () => {
      await sql(`ALTER DATABASE ${database.name} SET synchronous_commit = off`);
      const pool = await openKeysDatabase(database.url);
      const setting = await pool.transaction((connection) => connection.rows('SHOW synchronous_commit'));
      expect(setting).toEqual([{ synchronous_commit: 'on' }]);
      await pool.close();
    });
  });

  describe('keys are never made beside events that they do not open:', () => {
    it('an empty database is refused, and left empty', async () => {
      await expect(open({ ledgerHasEvents: true })).rejects.toMatchObject({ code: 'keys_missing' });
      expect(await sql(`SELECT FROM pg_namespace WHERE nspname = 'hindsight_keys'`)).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    });

    it('a store without an epoch is refused', async () => {
      await (await openKeysDatabase(database.url)).close();
      await expect(open({ ledgerHasEvents: true })).rejects.toMatchObject({ code: 'keys_missing' });
      expect(await readdir(folder)).toEqual([]);
    });

    it('keys of another ledger are refused', async () => {
      await open({ ledger: 'aaaa' });
      await expect(open({ ledger: 'bbbb', ledgerHasEvents: true })).rejects.toThrow(
        /holds the keys of ledger aaaa, but the ledger here is bbbb/,
      );
      await expect(open({ ledger: 'bbbb' })).rejects.toMatchObject({ code: 'keys_missing' });
    });

    it('another master key is refused, and a missing one is not made anew', async () => {
      await open();
      await rm(masterKey);
      await expect(open({ ledgerHasEvents: true })).rejects.toMatchObject({ code: 'master_key_missing' });
      await writeFile(masterKey, encodeKeyring(new Map([[1, randomBytes(32)]])));
      await expect(open({ ledgerHasEvents: true })).rejects.toMatchObject({ code: 'master_key_wrong' });
    });

    it('a service that may make nothing waits for the one that may', async () => {
      await expect(open({ create: false })).rejects.toMatchObject({ code: 'keys_missing' });
      expect(await readdir(folder)).toEqual([]);
      await open();
      expect(hex(await (await open({ create: false })).serviceKey())).toMatch(/^[0-9a-f]{64}$/);
    });

    it('a newer format is refused', async () => {
      await open();
      await sql('INSERT INTO hindsight_keys.format (version) VALUES (99)');
      await expect(open()).rejects.toMatchObject({ code: 'newer_format' });
    });
  });

  describe('the database of the views', () => {
    it.each([
      ['the same address', (url: URL) => url],
      ['another name of the same host', (url: URL) => Object.assign(url, { hostname: 'localhost' })],
      ['another user', (url: URL) => Object.assign(url, { username: 'hindsight', password: 'x' })],
    ])('is refused by %s', async (_how, change) => {
      const viewsUrl = change(new URL(database.url)).href;
      await expect(open({ viewsUrl })).rejects.toMatchObject({ code: 'invalid_config' });
      expect(await sql(`SELECT FROM pg_namespace WHERE nspname = 'hindsight_keys'`)).toEqual([]);
    });

    it('is known by what stands in it', async () => {
      await sql('CREATE SCHEMA hindsight; CREATE TABLE hindsight.hl_meta (name text)');
      await expect(open()).rejects.toMatchObject({ code: 'invalid_config' });
    });

    it('may be away', async () => {
      const viewsUrl = 'postgres://nobody@127.0.0.1:1/views';
      expect(await (await open({ viewsUrl })).freshSecret()).toBeDefined();
    });
  });

  describe('a new epoch, as an erase by another process starts one', () => {
    it('is noticed at the next insert, and the keys stay the same', async () => {
      const vault = await open();
      const { id, secret } = await vault.freshSecret();
      await moveToNextEpoch();
      const bank = await vault.bankKeys('b1');
      const stored = await sql('SELECT epoch FROM hindsight_keys.bucket_keys');
      expect(stored.every(({ epoch }) => epoch === '2')).toBe(true);
      await closeAll();
      const after = await open({ ledgerHasEvents: true });
      expect(hex(await after.secret(id))).toBe(hex(secret));
      expect(await after.bankKeys('b1')).toEqual(bank);
    });

    it('waits for inserts of the former one, and wraps them too', async () => {
      const vault = await open();
      await vault.freshSecret();
      const moving = moveToNextEpoch();
      const made = await Promise.all(
        Array.from({ length: 4 }, async (_, index) => {
          const other = await open();
          return { keys: await other.bankKeys(`b${index}`), secret: await other.freshSecret() };
        }),
      );
      await moving;
      await closeAll();
      const after = await open({ ledgerHasEvents: true });
      for (const [index, { keys, secret }] of made.entries()) {
        expect(await after.knownBankKeys(`b${index}`)).toEqual(keys);
        expect(hex(await after.secret(secret.id))).toBe(hex(secret.secret));
      }
    });
  });

  /** The switch of docs/decisions/0004-keys.md, without anything erased, and before the former master key is taken out of its file. */
  async function moveToNextEpoch(): Promise<void> {
    const pool = await openKeysDatabase(database.url);
    const file = masterKeyFile(masterKey);
    const old = (await file.read())!;
    const next = randomBytes(32);
    await writeFile(`${masterKey}.new`, encodeKeyring(new Map([...old, [2, next]])));
    await rename(`${masterKey}.new`, masterKey);
    const store = postgresKeyStore(pool);
    await pool.transaction(async (connection) => {
      await connection.rows('SELECT epoch FROM hindsight_keys.epochs FOR UPDATE');
      for (const { id } of await connection.rows<{ id: string }>('SELECT id FROM hindsight_keys.buckets')) {
        const bucket = unwrapBucket((await store.bucket(id))!, wrappingKeyOf(old.get(1)!));
        const wrapped = wrapBucket(bucket, 2, wrappingKeyOf(next), sources);
        await connection.rows('UPDATE hindsight_keys.buckets SET sealed_in = 2, secrets = $1 WHERE id = $2', [
          wrapped.blob,
          id,
        ]);
        await connection.rows('UPDATE hindsight_keys.bucket_keys SET epoch = 2, wrapped = $1 WHERE bucket = $2', [
          wrapped.wrappedKey,
          id,
        ]);
      }
      const { epoch, check } = keyCheckOf(2, next);
      await connection.rows('UPDATE hindsight_keys.epochs SET epoch = $1, key_check = $2 WHERE epoch = 1', [
        epoch,
        check,
      ]);
    });
    await store.close();
  }
});

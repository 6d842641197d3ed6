import { setTimeout as sleep } from 'node:timers/promises';
import { immediate, immediateAlone } from '#sqlite/immediate.js';
import { openDatabase, type SqliteDatabase, sqliteCode, withoutWaiting } from '#sqlite/open-database.js';
import { bankIsErased, banksOf, graveName } from '../key-names.js';
import type { BundleNote, KeyStore, LockedKeys } from '../key-store.js';
import { bucketIn, epochIn, keyIdIn, lockedKeys, name } from './locked-keys.js';

const bundlesTable = `CREATE TABLE IF NOT EXISTS bundles (
  one INTEGER PRIMARY KEY CHECK (one = 1), epoch INTEGER NOT NULL, made TEXT NOT NULL, place TEXT NOT NULL) STRICT`;

/** Tries to empty the write-ahead log while other processes read, 5 ms apart. */
const scrubTries = 200;

/** Wrapped keys in keys.db, shared by the processes of one home. `db` comes from `openKeysDatabase`, and is closed with the store. */
export function sqliteKeyStore(db: SqliteDatabase): KeyStore {
  // A database in memory has this one connection: whoever writes waits here for who holds it alone.
  let alone: Promise<unknown> | undefined;
  const insert = async <T>(work: () => T): Promise<T> => {
    while (alone) await alone;
    return immediate(db, work);
  };

  return {
    epoch: async () => epochIn(db),

    begin: (first) =>
      insert(() => {
        const standing = epochIn(db);
        if (standing) return standing;
        db.prepare('INSERT INTO epochs (epoch, key_check) VALUES (?, ?)').run(first.epoch, first.check);
        return first;
      }),

    addBucket: (bucket) =>
      insert(() => {
        if (epochIn(db)?.epoch !== bucket.epoch) return false;
        const { id, sealedIn, blob, wrappedKey } = bucket;
        db.prepare('INSERT INTO buckets (id, sealed_in, secrets) VALUES (?, ?, ?)').run(id, sealedIn, blob);
        db.prepare('INSERT INTO bucket_keys (bucket, epoch, wrapped) VALUES (?, ?, ?)').run(
          id,
          bucket.epoch,
          wrappedKey,
        );
        return true;
      }),

    bucket: async (id) => bucketIn(db, id),

    nameKeys: (inEpoch, names) =>
      insert(() => {
        if (epochIn(db)?.epoch !== inEpoch) return undefined;
        for (const bank of banksOf(names.keys()))
          if (keyIdIn(db, graveName(bank)) !== undefined) throw bankIsErased(bank);
        for (const [given, id] of names) name(db, given, id);
        return [...names.keys()].map((given) => keyIdIn(db, given) as string);
      }),

    named: async (names) => names.map((name) => keyIdIn(db, name)),

    bucketIds: async (after, limit) =>
      db
        .prepare('SELECT id FROM buckets WHERE id > ? ORDER BY id LIMIT ?')
        .all(after ?? '', limit)
        .map((row) => row.id as string),

    names: async (after, limit) =>
      db
        .prepare('SELECT name, key_id FROM names WHERE name > ? ORDER BY name LIMIT ?')
        .all(after ?? '', limit)
        .map((row) => [row.name as string, row.key_id as string]),

    async exclusively(work) {
      if (db.path !== ':memory:') return onConnection(db.path, work);
      while (alone) await alone;
      const result = immediateAlone(db, () => work(lockedKeys(db)));
      alone = result
        .catch(() => undefined)
        .finally(() => {
          alone = undefined;
        });
      return result;
    },

    noteBundle: ({ epoch, made, place }) =>
      insert(() => {
        db.exec(bundlesTable);
        db.prepare('INSERT OR REPLACE INTO bundles (one, epoch, made, place) VALUES (1, ?, ?, ?)').run(
          epoch,
          made,
          place,
        );
      }),

    async lastBundle() {
      // Files from before have no such table until the first one is made.
      if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'bundles'`).get()) return undefined;
      const row = db.prepare('SELECT epoch, made, place FROM bundles').get();
      return row && ({ ...row } as unknown as BundleNote);
    },

    async scrub() {
      if (db.path === ':memory:') return;
      for (let tries = 0; tries < scrubTries; tries++) {
        if (isEmptied(db)) return;
        await sleep(5);
      }
      // Somebody reads for long: what the log still holds is wrapped by an epoch that is gone.
    },

    close: async () => db.close(),
  };
}

/** A connection of its own: the work waits for the disk in between, and the store's other callers go on. */
async function onConnection<T>(path: string, work: (keys: LockedKeys) => Promise<T>): Promise<T> {
  const db = openDatabase(path, { synchronous: 'FULL', cacheKib: 256 });
  try {
    // What is replaced is overwritten in the file.
    db.exec('PRAGMA secure_delete = ON');
    return await immediateAlone(db, () => work(lockedKeys(db)));
  } finally {
    db.close();
  }
}

/** Whether the write-ahead log could be moved into the file and cut to nothing. */
function isEmptied(db: SqliteDatabase): boolean {
  try {
    const truncate = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
    return withoutWaiting(db, () => truncate.get()?.busy === 0);
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return false;
  }
}

import type { SqliteDatabase } from '#sqlite/open-database.js';
import { graveName, noKey } from '../key-names.js';
import type { LockedKeys, StoredBucket, StoredEpoch, WrappedKey } from '../key-store.js';

/** keys.db inside a transaction that holds the write lock. */
export function lockedKeys(db: SqliteDatabase): LockedKeys {
  return {
    epoch: epochIn(db),
    bucket: async (id) => bucketIn(db, id),
    named: async (names) => names.map((name) => keyIdIn(db, name)),

    namesUnder: async (prefix) =>
      db
        .prepare('SELECT name, key_id FROM names WHERE name >= ? AND substr(name, 1, length(?)) = ? ORDER BY name')
        .all(prefix, prefix, prefix)
        .map((row) => [row.name as string, row.key_id as string]),

    wrappedKeys: async (after, limit) =>
      db
        .prepare(
          'SELECT bucket AS "id", epoch, wrapped AS "wrappedKey" FROM bucket_keys WHERE bucket > ? ORDER BY bucket LIMIT ?',
        )
        .all(after ?? '', limit) as unknown as WrappedKey[],

    async rewrap(keys) {
      for (const { id, epoch, wrappedKey } of keys) setKey(db, id, epoch, wrappedKey);
    },

    async reseal({ id, sealedIn, blob, epoch, wrappedKey }) {
      db.prepare('UPDATE buckets SET sealed_in = ?, secrets = ? WHERE id = ?').run(sealedIn, blob, id);
      setKey(db, id, epoch, wrappedKey);
    },

    async forget(names) {
      for (const name of names) db.prepare('DELETE FROM names WHERE name = ?').run(name);
    },

    async bury(banks) {
      for (const bank of banks) name(db, graveName(bank), noKey);
    },

    async move(next) {
      db.prepare('DELETE FROM epochs').run();
      db.prepare('INSERT INTO epochs (epoch, key_check) VALUES (?, ?)').run(next.epoch, next.check);
    },
  };
}

export function epochIn(db: SqliteDatabase): StoredEpoch | undefined {
  return db.prepare('SELECT epoch, key_check AS "check" FROM epochs ORDER BY epoch DESC LIMIT 1').get() as
    | StoredEpoch
    | undefined;
}

export function bucketIn(db: SqliteDatabase, id: string): StoredBucket | undefined {
  return db
    .prepare(
      `SELECT id, sealed_in AS "sealedIn", secrets AS "blob", epoch, wrapped AS "wrappedKey"
       FROM buckets JOIN bucket_keys ON bucket = id WHERE id = ?`,
    )
    .get(id) as StoredBucket | undefined;
}

export function keyIdIn(db: SqliteDatabase, name: string): string | undefined {
  return db.prepare('SELECT key_id FROM names WHERE name = ?').get(name)?.key_id as string | undefined;
}

/** A name that has a key keeps it. */
export function name(db: SqliteDatabase, given: string, id: string): void {
  db.prepare('INSERT INTO names (name, key_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING').run(given, id);
}

function setKey(db: SqliteDatabase, id: string, epoch: number, wrapped: Uint8Array): void {
  db.prepare('UPDATE bucket_keys SET epoch = ?, wrapped = ? WHERE bucket = ?').run(epoch, wrapped, id);
}

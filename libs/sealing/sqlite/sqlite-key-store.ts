import { immediate } from '#sqlite/immediate.js';
import type { SqliteDatabase } from '#sqlite/open-database.js';
import type { KeyStore, StoredBucket, StoredEpoch } from '../key-store.js';

/** Wrapped keys in keys.db, shared by the processes of one home. `db` comes from `openKeysDatabase`, and is closed with the store. */
export function sqliteKeyStore(db: SqliteDatabase): KeyStore {
  const epoch = (): StoredEpoch | undefined =>
    db.prepare('SELECT epoch, key_check AS "check" FROM epochs ORDER BY epoch DESC LIMIT 1').get() as
      | StoredEpoch
      | undefined;
  const keyIdOf = (name: string): string | undefined =>
    (db.prepare('SELECT key_id FROM names WHERE name = ?').get(name) as { key_id: string } | undefined)?.key_id;

  return {
    epoch: async () => epoch(),

    begin: (first) =>
      immediate(db, () => {
        const standing = epoch();
        if (standing) return standing;
        db.prepare('INSERT INTO epochs (epoch, key_check) VALUES (?, ?)').run(first.epoch, first.check);
        return first;
      }),

    addBucket: (bucket) =>
      immediate(db, () => {
        if (epoch()?.epoch !== bucket.epoch) return false;
        const { id, sealedIn, blob, wrappedKey } = bucket;
        db.prepare('INSERT INTO buckets (id, sealed_in, secrets) VALUES (?, ?, ?)').run(id, sealedIn, blob);
        db.prepare('INSERT INTO bucket_keys (bucket, epoch, wrapped) VALUES (?, ?, ?)').run(
          id,
          bucket.epoch,
          wrappedKey,
        );
        return true;
      }),

    bucket: async (id) =>
      db
        .prepare(
          `SELECT id, sealed_in AS "sealedIn", secrets AS "blob", epoch, wrapped AS "wrappedKey"
           FROM buckets JOIN bucket_keys ON bucket = id WHERE id = ?`,
        )
        .get(id) as StoredBucket | undefined,

    nameKeys: (inEpoch, names) =>
      immediate(db, () => {
        if (epoch()?.epoch !== inEpoch) return undefined;
        for (const [name, id] of names)
          db.prepare('INSERT INTO names (name, key_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING').run(name, id);
        return [...names.keys()].map((name) => keyIdOf(name) as string);
      }),

    named: async (names) => names.map(keyIdOf),

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

    close: async () => db.close(),
  };
}

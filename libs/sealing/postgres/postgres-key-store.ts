import { HindsightError } from '#contract/errors.js';
import { bankIsErased, banksOf, graveName } from '../key-names.js';
import type { KeyStore } from '../key-store.js';
import type { KeysConnection, KeysPool } from './keys-pool.js';
import { bucketIn, epochIn, lockedKeys, namedIn } from './locked-keys.js';

/**
 * Wrapped keys in PostgreSQL, shared by all services. `pool` comes from `openKeysDatabase`, and is closed with the store.
 *
 * An insert holds the row of its epoch (FOR SHARE) until it is committed. Whoever moves the epoch locks that row first (FOR UPDATE), so
 * it finds every bucket that was wrapped by the old one.
 */
export function postgresKeyStore(pool: KeysPool): KeyStore {
  return {
    epoch: () => pool.read(epochIn),

    begin: (first) =>
      pool.transaction(async (connection) => {
        await connection.rows('LOCK TABLE hindsight_keys.epochs IN SHARE ROW EXCLUSIVE MODE');
        const standing = await epochIn(connection);
        if (standing) return standing;
        await connection.rows('INSERT INTO hindsight_keys.epochs (epoch, key_check) VALUES ($1, $2)', [
          first.epoch,
          first.check,
        ]);
        return first;
      }),

    addBucket: (bucket) =>
      pool.transaction(async (connection) => {
        if (!(await isIn(connection, bucket.epoch))) return false;
        const { id, sealedIn, blob, epoch, wrappedKey } = bucket;
        const added = await connection.rows(
          `INSERT INTO hindsight_keys.buckets (id, sealed_in, secrets) VALUES ($1, $2, $3)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [id, sealedIn, blob],
        );
        if (added.length === 0) {
          // An earlier try of this very insert whose answer was lost is no conflict.
          const there = await bucketIn(connection, id);
          if (there && same(there.blob, blob) && same(there.wrappedKey, wrappedKey)) return true;
          throw new HindsightError('internal', `Bucket ${id} is in ${pool.place} already.`, { bucket: id });
        }
        await connection.rows('INSERT INTO hindsight_keys.bucket_keys (bucket, epoch, wrapped) VALUES ($1, $2, $3)', [
          id,
          epoch,
          wrappedKey,
        ]);
        return true;
      }),

    bucket: (id) => pool.read((connection) => bucketIn(connection, id)),

    nameKeys: (epoch, names) =>
      pool.transaction(async (connection) => {
        if (!(await isIn(connection, epoch))) return undefined;
        const banks = [...banksOf(names.keys())];
        const graves = await namedIn(connection, banks.map(graveName));
        const gone = banks.find((_, at) => graves[at] !== undefined);
        if (gone !== undefined) throw bankIsErased(gone);
        // Always in one order: two that name the same keys in different ones would wait for each other.
        const sorted = [...names].sort(([one], [other]) => (one < other ? -1 : 1));
        await connection.rows(
          `INSERT INTO hindsight_keys.names (name, key_id) SELECT * FROM unnest($1::text[], $2::text[])
           ON CONFLICT (name) DO NOTHING`,
          [sorted.map(([name]) => name), sorted.map(([, id]) => id)],
        );
        return (await namedIn(connection, [...names.keys()])) as string[];
      }),

    named: (names) => pool.read((connection) => namedIn(connection, names)),

    bucketIds: async (after, limit) => {
      const rows = await pool.read((connection) =>
        connection.rows<{ id: string }>(
          'SELECT id FROM hindsight_keys.buckets WHERE id COLLATE "C" > $1 ORDER BY id COLLATE "C" LIMIT $2',
          [after ?? '', limit],
        ),
      );
      return rows.map(({ id }) => id);
    },

    names: async (after, limit) => {
      const rows = await pool.read((connection) =>
        connection.rows<{ name: string; key_id: string }>(
          'SELECT name, key_id FROM hindsight_keys.names WHERE name COLLATE "C" > $1 ORDER BY name COLLATE "C" LIMIT $2',
          [after ?? '', limit],
        ),
      );
      return rows.map(({ name, key_id }) => [name, key_id] as const);
    },

    exclusively: (work) => pool.transaction(async (connection) => work(await lockedKeys(connection))),

    async noteBundle({ epoch, made, place }) {
      await pool.transaction((connection) =>
        connection.rows(
          `INSERT INTO hindsight_keys.bundles (epoch, made, place) VALUES ($1, $2, $3)
           ON CONFLICT (one) DO UPDATE SET epoch = excluded.epoch, made = excluded.made, place = excluded.place`,
          [epoch, made, place],
        ),
      );
    },

    async lastBundle() {
      const [row] = await pool.read((connection) =>
        connection.rows<{ epoch: string; made: string; place: string }>(
          'SELECT epoch, made, place FROM hindsight_keys.bundles',
        ),
      );
      return row && { ...row, epoch: Number(row.epoch) };
    },

    // Dead rows and segments of the write-ahead log go when the server lets go of them: they are wrapped by an epoch that is gone.
    scrub: async () => {},

    close: () => pool.close(),
  };
}

async function isIn(connection: KeysConnection, epoch: number): Promise<boolean> {
  const standing = await connection.rows<{ epoch: string }>('SELECT epoch FROM hindsight_keys.epochs FOR SHARE');
  return standing.length > 0 && Math.max(...standing.map((row) => Number(row.epoch))) === epoch;
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

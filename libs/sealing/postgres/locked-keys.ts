import { graveName, noKey } from '../key-names.js';
import type { LockedKeys, StoredBucket, StoredEpoch } from '../key-store.js';
import type { KeysConnection } from './keys-pool.js';

/**
 * The keys inside a transaction that holds the row of the epoch (FOR UPDATE): inserts wait for it, and find the next epoch there.
 * In a store without an epoch nothing is inserted.
 */
export async function lockedKeys(connection: KeysConnection): Promise<LockedKeys> {
  await connection.rows('SELECT FROM hindsight_keys.epochs FOR UPDATE');
  return {
    epoch: await epochIn(connection),
    bucket: (id) => bucketIn(connection, id),
    named: (names) => namedIn(connection, names),

    async namesUnder(prefix) {
      const rows = await connection.rows<{ name: string; key_id: string }>(
        'SELECT name, key_id FROM hindsight_keys.names WHERE starts_with(name, $1) ORDER BY name COLLATE "C"',
        [prefix],
      );
      return rows.map(({ name, key_id }) => [name, key_id] as const);
    },

    async wrappedKeys(after, limit) {
      const rows = await connection.rows<{ bucket: string; epoch: string; wrapped: Uint8Array }>(
        `SELECT bucket, epoch, wrapped FROM hindsight_keys.bucket_keys
         WHERE bucket COLLATE "C" > $1 ORDER BY bucket COLLATE "C" LIMIT $2`,
        [after ?? '', limit],
      );
      return rows.map(({ bucket, epoch, wrapped }) => ({ id: bucket, epoch: Number(epoch), wrappedKey: wrapped }));
    },

    async rewrap(keys) {
      await connection.rows(
        `UPDATE hindsight_keys.bucket_keys AS kept SET epoch = next.epoch, wrapped = next.wrapped
         FROM unnest($1::text[], $2::bigint[], $3::bytea[]) AS next (bucket, epoch, wrapped)
         WHERE kept.bucket = next.bucket`,
        [keys.map(({ id }) => id), keys.map(({ epoch }) => epoch), keys.map(({ wrappedKey }) => wrappedKey)],
      );
    },

    async reseal({ id, sealedIn, blob, epoch, wrappedKey }) {
      await connection.rows('UPDATE hindsight_keys.buckets SET sealed_in = $1, secrets = $2 WHERE id = $3', [
        sealedIn,
        blob,
        id,
      ]);
      await connection.rows('UPDATE hindsight_keys.bucket_keys SET epoch = $1, wrapped = $2 WHERE bucket = $3', [
        epoch,
        wrappedKey,
        id,
      ]);
    },

    async forget(names) {
      await connection.rows('DELETE FROM hindsight_keys.names WHERE name = ANY($1)', [names]);
    },

    async bury(banks) {
      await connection.rows(
        `INSERT INTO hindsight_keys.names (name, key_id) SELECT name, $2 FROM unnest($1::text[]) AS grave (name)
         ON CONFLICT (name) DO NOTHING`,
        [banks.map(graveName), noKey],
      );
    },

    // The row stays the same one: whoever waits for it reads what it holds then.
    async move(next) {
      await connection.rows('UPDATE hindsight_keys.epochs SET epoch = $1, key_check = $2', [next.epoch, next.check]);
    },
  };
}

export async function epochIn(connection: KeysConnection): Promise<StoredEpoch | undefined> {
  const [row] = await connection.rows<{ epoch: string; check: Uint8Array }>(
    'SELECT epoch, key_check AS "check" FROM hindsight_keys.epochs ORDER BY epoch DESC LIMIT 1',
  );
  return row && { epoch: Number(row.epoch), check: row.check };
}

export async function bucketIn(connection: KeysConnection, id: string): Promise<StoredBucket | undefined> {
  const [row] = await connection.rows<{
    sealed_in: string;
    secrets: Uint8Array;
    epoch: string;
    wrapped: Uint8Array;
  }>(
    `SELECT sealed_in, secrets, epoch, wrapped
     FROM hindsight_keys.buckets JOIN hindsight_keys.bucket_keys ON bucket = id WHERE id = $1`,
    [id],
  );
  return (
    row && {
      id,
      sealedIn: Number(row.sealed_in),
      blob: row.secrets,
      epoch: Number(row.epoch),
      wrappedKey: row.wrapped,
    }
  );
}

export async function namedIn(connection: KeysConnection, names: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await connection.rows<{ name: string; key_id: string }>(
    'SELECT name, key_id FROM hindsight_keys.names WHERE name = ANY($1)',
    [names],
  );
  const ids = new Map(rows.map((row) => [row.name, row.key_id]));
  return names.map((name) => ids.get(name));
}

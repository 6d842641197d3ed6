import { HindsightError } from '#contract/errors.js';
import type { KeysConnection, KeysPool } from './keys-pool.js';

/**
 * Steps that only ever go forward; each is one format. As in keys.db, keys of buckets stand apart from their secrets: an erase wraps
 * every bucket's key anew, and need not rewrite the secrets of buckets that it leaves alone.
 */
const steps = [
  `CREATE TABLE hindsight_keys.owner (one boolean PRIMARY KEY DEFAULT true CHECK (one), ledger text NOT NULL);
   CREATE TABLE hindsight_keys.epochs (epoch bigint PRIMARY KEY, key_check bytea NOT NULL);
   CREATE TABLE hindsight_keys.buckets (id text PRIMARY KEY, sealed_in bigint NOT NULL, secrets bytea NOT NULL);
   CREATE TABLE hindsight_keys.bucket_keys (
     bucket text PRIMARY KEY REFERENCES hindsight_keys.buckets, epoch bigint NOT NULL, wrapped bytea NOT NULL);
   CREATE TABLE hindsight_keys.names (name text PRIMARY KEY, key_id text NOT NULL);
   CREATE TABLE hindsight_keys.tokens (
     id text PRIMARY KEY, hash bytea NOT NULL UNIQUE, name text NOT NULL, bank text NOT NULL, roles text NOT NULL,
     created text NOT NULL, expires text, revoked text, last_used text);`,
  `CREATE TABLE hindsight_keys.bundles (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), epoch bigint NOT NULL, made text NOT NULL, place text NOT NULL);`,
];

/** Of the advisory lock under which they are taken: "hl keys" as a number. */
const lock = 0x686c6b657973n;

/**
 * Brings the schema to this release's format. Nothing is locked or written where it has it already.
 * @param may `begin` where there is nothing, and `upgrade` what an earlier release made
 * @throws HindsightError newer_format · keys_missing where it may not
 */
export async function migrateKeys(
  pool: KeysPool,
  may: { readonly begin: boolean; readonly upgrade: boolean },
): Promise<void> {
  const found = await pool.read(formatOf);
  if (found === steps.length) return;
  if (found > steps.length)
    throw new HindsightError(
      'newer_format',
      `The keys in ${pool.place} have format ${found}, this release knows up to ${steps.length}.`,
      { database: pool.place, found, known: steps.length },
    );
  if (!(found === 0 ? may.begin : may.upgrade))
    throw new HindsightError(
      'keys_missing',
      found === 0
        ? `The database ${pool.place} holds no keys.`
        : `The keys in ${pool.place} have format ${found} and must be brought to ${steps.length} first, by a service that may.`,
      { database: pool.place },
    );
  await pool.transaction(async (connection) => {
    await connection.rows(`SELECT pg_advisory_xact_lock(${lock})`);
    // Another process may have been first; its tables are seen from here on.
    const from = await formatOf(connection);
    if (from === 0) {
      await connection.rows('CREATE SCHEMA IF NOT EXISTS hindsight_keys');
      await connection.rows('CREATE TABLE hindsight_keys.format (version integer PRIMARY KEY)');
    }
    for (const [index, step] of steps.entries()) {
      if (index < from) continue;
      await connection.rows(step);
      await connection.rows('INSERT INTO hindsight_keys.format (version) VALUES ($1)', [index + 1]);
    }
  });
}

/** 0 where there is none. Looked up as rows: to_regclass may answer from a cache that is older than the lock. */
async function formatOf(connection: KeysConnection): Promise<number> {
  const tables = await connection.rows(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'hindsight_keys' AND tablename = 'format'`,
  );
  if (tables.length === 0) return 0;
  const [row] = await connection.rows<{ version: number | null }>(
    'SELECT max(version) AS version FROM hindsight_keys.format',
  );
  return row?.version ?? 0;
}

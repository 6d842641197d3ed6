import pg from 'pg';
import { HindsightError } from '#contract/errors.js';
import { type KeysPool, type KeysPoolOptions, openKeysPool } from './keys-pool.js';
import { migrateKeys } from './migrate-keys.js';

export interface KeysDatabaseOptions extends KeysPoolOptions {
  /** Id of the ledger whose keys are wanted; the first one that is given is kept. */
  readonly ledger?: string;
  /** Where the views are: not here, since views may be dropped and keys may not. */
  readonly viewsUrl?: string;
  /** Whether tables may be made or brought to this release's format; by default they may. */
  readonly create?: boolean;
  /** Whether events were stored with keys of this database: then none are made where there are none. */
  readonly ledgerHasEvents?: boolean;
  /** Told of what is wrong but stops nothing, as a sentence. */
  readonly warn?: (sentence: string) => void;
}

/**
 * Opens the database of the keys, in its schema `hindsight_keys`, which is made where there is none: wrapped keys, and hashes of access
 * tokens.
 * @throws HindsightError keys_missing when it holds another ledger's · invalid_config when the views are in it · keys_unreachable ·
 * newer_format
 */
export async function openKeysDatabase(url: string, options: KeysDatabaseOptions = {}): Promise<KeysPool> {
  const pool = openKeysPool(url, options);
  try {
    await refuseBesideViews(pool, url, options.viewsUrl);
    const { create = true, ledgerHasEvents = false } = options;
    await migrateKeys(pool, { begin: create && !ledgerHasEvents, upgrade: create });
    if (options.ledger !== undefined) await checkOwner(pool, options.ledger);
    if (options.warn) await warnWithoutFlushes(pool, options.warn);
    return pool;
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** One database has many addresses: what the server says of itself is compared, and what stands in it. */
async function refuseBesideViews(pool: KeysPool, keysUrl: string, viewsUrl: string | undefined): Promise<void> {
  const besides = new HindsightError(
    'invalid_config',
    `HINDSIGHT_LEDGER_KEYS_URL and HINDSIGHT_LEDGER_POSTGRES_URL name the same database (${pool.place}). The views' may be dropped at any time, the keys' never: give the keys a database of their own.`,
    { database: pool.place },
  );
  if (viewsUrl !== undefined && addressOf(viewsUrl) === addressOf(keysUrl)) throw besides;
  const views = await pool.read((connection) =>
    connection.rows(`SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'hindsight' AND tablename = 'hl_meta'`),
  );
  if (views.length > 0) throw besides;
  if (viewsUrl === undefined) return;
  const [there, here] = [await identityAt(viewsUrl), await identityAt(keysUrl)];
  if (there !== undefined && there === here) throw besides;
}

/** The cluster and the database in it; the same by whatever address it is reached. */
const identity = `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS identity
  FROM pg_database WHERE datname = current_database()`;

/** Undefined when it cannot be reached, or its server does not tell: keys are needed also then. */
async function identityAt(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<{ identity: string }>(identity)).rows[0]?.identity;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

function addressOf(url: string): string {
  const { hostname, port, pathname, username } = new URL(url);
  return `${hostname || 'localhost'}:${port || 5432}/${pathname.slice(1) || username}`.toLowerCase();
}

async function checkOwner(pool: KeysPool, ledger: string): Promise<void> {
  const ownerIn = 'SELECT ledger FROM hindsight_keys.owner';
  let [owner] = await pool.read((connection) => connection.rows<{ ledger: string }>(ownerIn));
  owner ??= await pool.transaction(async (connection) => {
    await connection.rows('INSERT INTO hindsight_keys.owner (ledger) VALUES ($1) ON CONFLICT DO NOTHING', [ledger]);
    return (await connection.rows<{ ledger: string }>(ownerIn))[0]!;
  });
  if (owner.ledger === ledger) return;
  throw new HindsightError(
    'keys_missing',
    `The database ${pool.place} holds the keys of ledger ${owner.ledger}, but the ledger here is ${ledger}: one of the two is another installation's.`,
    { database: pool.place, ledger, owner: owner.ledger },
  );
}

async function warnWithoutFlushes(pool: KeysPool, warn: (sentence: string) => void): Promise<void> {
  const [row] = await pool.read((connection) =>
    connection.rows<{ fsync: string }>(`SELECT current_setting('fsync') AS fsync`),
  );
  if (row?.fsync === 'off')
    warn(
      `The server of the keys (${pool.place}) runs with fsync = off: a power cut there may lose keys, and what they seal.`,
    );
}

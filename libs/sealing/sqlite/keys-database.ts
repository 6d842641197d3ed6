import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { immediate } from '#sqlite/immediate.js';
import { openDatabase, type SqliteDatabase } from '#sqlite/open-database.js';

/** The format of keys.db, in its user_version. */
const format = 1;

/**
 * Keys of buckets stand apart from their secrets: an erase wraps every bucket's key anew, and need not rewrite the
 * secrets of buckets that it leaves alone.
 */
const tables = `
  CREATE TABLE epochs (epoch INTEGER PRIMARY KEY, key_check BLOB NOT NULL) STRICT;
  CREATE TABLE buckets (id TEXT PRIMARY KEY, sealed_in INTEGER NOT NULL, secrets BLOB NOT NULL) STRICT;
  CREATE TABLE bucket_keys (bucket TEXT PRIMARY KEY, epoch INTEGER NOT NULL, wrapped BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE names (name TEXT PRIMARY KEY, key_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    bank TEXT NOT NULL,
    roles TEXT NOT NULL,
    created TEXT NOT NULL,
    expires TEXT,
    revoked TEXT,
    last_used TEXT
  ) STRICT, WITHOUT ROWID;
`;

/** Which ledger's keys these are: any master key opens its own keys.db, so a pair from another home would pass for this one's. */
const ownerTable = 'CREATE TABLE IF NOT EXISTS owner (ledger TEXT PRIMARY KEY) STRICT, WITHOUT ROWID';

/** How long to wait for other processes that open a new file at the same moment, in milliseconds. */
const patience = 15_000;

export interface KeysDatabaseOptions {
  readonly readOnly?: boolean;
  /** Id of the ledger whose keys are wanted; the first one that is given is kept. */
  readonly ledger?: string;
}

/**
 * Opens keys.db, and makes it where there is none: wrapped keys and hashes of access tokens, in one file and one format.
 * @throws HindsightError keys_missing when it holds another ledger's · newer_format · not_writable · disk_full · ledger_corrupt
 * when the file is no database
 */
export async function openKeysDatabase(path: string, options: KeysDatabaseOptions = {}): Promise<SqliteDatabase> {
  const readOnly = options.readOnly ?? false;
  if (readOnly && !existsSync(path))
    throw new HindsightError('keys_missing', `${path} is not there, and nothing can be made in a read-only home.`, {
      file: path,
    });
  const db = await opened(path, readOnly);
  try {
    if (formatOf(db) === 0 && !readOnly) await immediate(db, () => create(db));
    if (formatOf(db) > format)
      throw new HindsightError(
        'newer_format',
        `${path} has format ${formatOf(db)}, this release knows up to ${format}.`,
        { file: path, found: formatOf(db), known: format },
      );
    if (options.ledger !== undefined) await checkOwner(db, options.ledger, readOnly);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function create(db: SqliteDatabase): void {
  if (formatOf(db) !== 0) return;
  db.exec(tables);
  db.exec(`PRAGMA user_version = ${format}`);
}

async function checkOwner(db: SqliteDatabase, ledger: string, readOnly: boolean): Promise<void> {
  const known = ownerOf(db);
  if (known === ledger || (known === undefined && readOnly)) return;
  const owner = known ?? (await immediate(db, () => claim(db, ledger)));
  if (owner === ledger) return;
  throw new HindsightError(
    'keys_missing',
    `${db.path} holds the keys of ledger ${owner}, but the ledger here is ${ledger}: one of the two files is another home's, or ledger.db was lost and a new one made.`,
    { file: db.path, ledger, owner },
  );
}

/** @returns whose keys these are then: another process may have been first */
function claim(db: SqliteDatabase, ledger: string): string {
  db.exec(ownerTable);
  const owner = ownerOf(db);
  if (owner !== undefined) return owner;
  db.prepare('INSERT INTO owner (ledger) VALUES (?)').run(ledger);
  return ledger;
}

function ownerOf(db: SqliteDatabase): string | undefined {
  if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'owner'`).get()) return undefined;
  return db.prepare('SELECT ledger FROM owner').get()?.ledger as string | undefined;
}

function formatOf(db: SqliteDatabase): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** SQLite answers busy at once, whatever the timeout, where waiting could deadlock: eight processes that open a new file. */
async function opened(path: string, readOnly: boolean): Promise<SqliteDatabase> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      return openDatabase(path, { synchronous: 'FULL', readOnly, cacheKib: 256 });
    } catch (error) {
      if (!isHindsightError(error, 'ledger_busy') || Date.now() > deadline) throw error;
    }
    await sleep(5 + Math.random() * 20);
  }
}

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

/** How long to wait for other processes that open a new file at the same moment, in milliseconds. */
const patience = 15_000;

/**
 * Opens keys.db, and makes it where there is none: wrapped keys and hashes of access tokens, in one file and one format.
 * @throws HindsightError newer_format · not_writable · disk_full · ledger_corrupt when the file is no database
 */
export async function openKeysDatabase(path: string, options: { readOnly?: boolean } = {}): Promise<SqliteDatabase> {
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

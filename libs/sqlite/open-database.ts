import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { HindsightError } from '#contract/errors.js';

/** An open SQLite file with its prepared statements; one per process and file. */
export interface SqliteDatabase {
  readonly path: string;
  readonly raw: DatabaseSyncInstance;
  /** Cached by its text: statements are freed only when the event loop turns, so a loop that prepares leaks. */
  prepare(sql: string): StatementSyncInstance;
  exec(sql: string): void;
  close(): void;
}

export interface OpenOptions {
  /** FULL for what may not be lost, NORMAL for what can be rebuilt. WAL reopened falls back to NORMAL, so it is set on every connection. */
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly readOnly?: boolean;
  /** Page cache in KiB; 2,048 by default. */
  readonly cacheKib?: number;
}

/**
 * How long SQLite itself may sleep for another process's lock, in milliseconds; the event loop is blocked meanwhile. In WAL mode a
 * reader waits only while a process that was killed in its commit is recovered from; writers wait in `immediate`.
 */
const busyTimeout = 2000;

/**
 * A file opened with `readOnly` need not lie where anything can be written: SQLite needs a shared-memory file beside one in
 * WAL mode, and where it cannot make one the file is taken as it stands.
 * @throws HindsightError no_file when a folder is in its place · not_writable · disk_full · ledger_corrupt (details.file) when
 * the file is no database
 */
export function openDatabase(path: string, options: OpenOptions): SqliteDatabase {
  try {
    return connect(path, path, options);
  } catch (error) {
    if (options.readOnly && sqliteCode(error) === sqlite.cannotOpen && existsSync(path) && !hasLog(path)) {
      return connect(path, `${pathToFileURL(path).href}?immutable=1`, options);
    }
    throw readableError(error, path);
  }
}

function connect(path: string, location: string, options: OpenOptions): SqliteDatabase {
  const raw = new DatabaseSync(location, { readOnly: options.readOnly ?? false, timeout: busyTimeout });
  try {
    prepareConnection(raw, options);
  } catch (error) {
    raw.close();
    throw error;
  }
  const statements = new Map<string, StatementSyncInstance>();
  return {
    path,
    raw,
    prepare(sql) {
      const cached = statements.get(sql);
      if (cached) return cached;
      const statement = raw.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    exec: (sql) => raw.exec(sql),
    close() {
      statements.clear();
      // The driver frees statements only later, so SQLite does not put its log back into the file when this is the last
      // connection: done here, or a copy or a read-only home would need the log too.
      if (!options.readOnly) foldLogBack(raw);
      raw.close();
    },
  };
}

/** Runs one statement that answers at once when another process holds the lock, so that the waiting can be done elsewhere. */
export function withoutWaiting<T>(db: SqliteDatabase, statement: () => T): T {
  // A prepared pragma is compiled anew at each run: not keeping it takes half the time.
  db.exec('PRAGMA busy_timeout = 0');
  try {
    return statement();
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  }
}

/** Whether commits lie in the write-ahead log that the file itself lacks: without it, an older state would be read. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function foldLogBack(raw: DatabaseSyncInstance): void {
  try {
    raw.exec('PRAGMA busy_timeout = 50');
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // A full disk or a busy neighbour: whoever opens the file next finds the log beside it.
  }
}

function prepareConnection(raw: DatabaseSyncInstance, options: OpenOptions): void {
  const { journal_mode: mode } = raw.prepare('PRAGMA journal_mode').get() as { journal_mode: string };
  if (!options.readOnly && mode !== 'wal') switchToWal(raw);
  raw.exec(`PRAGMA synchronous = ${options.synchronous}`);
  raw.exec(`PRAGMA cache_size = -${options.cacheKib ?? 2048}`);
}

/** SQLite does not wait for the lock that this takes when two connections switch at once, so the waiting is done here. */
function switchToWal(raw: DatabaseSyncInstance): void {
  const deadline = Date.now() + 5000;
  for (;;) {
    try {
      raw.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (sqliteCode(error) !== sqlite.busy || Date.now() > deadline) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 + Math.random() * 8);
  }
}

/** SQLite's primary result code; undefined for errors that are not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code === 'number') return code & 0xff;
  return error instanceof Error ? codesByMessage.get(error.message) : undefined;
}

/** Errors from the midst of an iteration come without their code (@photostructure/sqlite 1.2.1), with sqlite3_errstr's words. */
const codesByMessage = new Map([
  ['database is locked', 5],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
]);

export const sqlite = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Extended codes of a read that failed: IOERR_READ, IOERR_SHORT_READ, IOERR_CORRUPTFS. */
const unreadable = new Set([266, 522, 8458]);

/** The error in words that say what to do; anything that is not about the file comes back as it is. */
export function readableError(error: unknown, path: string): unknown {
  const details = { file: path };
  // SQLite tells a folder as a fault of the disk, or as missing rights, depending on what it tries first.
  if (sqliteCode(error) !== undefined && isFolder(path))
    return new HindsightError('no_file', `${path} is a folder, not a file.`, details, { cause: error });
  switch (sqliteCode(error)) {
    case sqlite.full:
      return new HindsightError('disk_full', `The disk is full: ${path} cannot grow.`, details, { cause: error });
    case sqlite.readOnly:
    case sqlite.cannotOpen:
      return new HindsightError('not_writable', `${path} cannot be opened for writing.`, details, { cause: error });
    case sqlite.io:
      if (unreadable.has((error as { errcode: number }).errcode)) {
        return new HindsightError('ledger_corrupt', `${path} cannot be read: ${(error as Error).message}.`, details, {
          cause: error,
        });
      }
      return new HindsightError(
        'disk_full',
        `Reading or writing ${path} failed: the disk is full or damaged.`,
        details,
        { cause: error },
      );
    case sqlite.corrupt:
    case sqlite.notADatabase:
      return new HindsightError('ledger_corrupt', `${path} is damaged: ${(error as Error).message}.`, details, {
        cause: error,
      });
    case sqlite.busy:
    case sqlite.locked:
      return new HindsightError('ledger_busy', `Another process holds ${path}.`, details, { cause: error });
    default:
      return error;
  }
}

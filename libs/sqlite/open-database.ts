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
 * How long SQLite itself may sleep for another process's lock, in milliseconds. The driver is synchronous: it blocks the
 * event loop meanwhile (up to 2 s was seen with a long one), so waiting is left to `immediate`.
 */
const busyTimeout = 5;

/** @throws HindsightError not_writable · disk_full · ledger_corrupt (details.file) when the file is no database */
export function openDatabase(path: string, options: OpenOptions): SqliteDatabase {
  try {
    const raw = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: busyTimeout });
    const statements = new Map<string, StatementSyncInstance>();
    // Changing the journal mode needs the file alone for a moment: another process that opens it too is waited for.
    raw.exec('PRAGMA busy_timeout = 5000');
    if (!options.readOnly) raw.exec('PRAGMA journal_mode = WAL');
    raw.exec(`PRAGMA synchronous = ${options.synchronous}`);
    raw.exec(`PRAGMA cache_size = -${options.cacheKib ?? 2048}`);
    raw.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
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
        raw.close();
      },
    };
  } catch (error) {
    throw readableError(error, path);
  }
}

/** SQLite's primary result code; undefined for errors that are not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

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

/** The error in words that say what to do; anything that is not about the file comes back as it is. */
export function readableError(error: unknown, path: string): unknown {
  const details = { file: path };
  switch (sqliteCode(error)) {
    case sqlite.full:
      return new HindsightError('disk_full', `The disk is full: ${path} cannot grow.`, details, { cause: error });
    case sqlite.readOnly:
    case sqlite.cannotOpen:
      return new HindsightError('not_writable', `${path} cannot be opened for writing.`, details, { cause: error });
    case sqlite.io:
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

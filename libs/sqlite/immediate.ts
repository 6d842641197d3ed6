import { setTimeout as sleep } from 'node:timers/promises';
import { readableError, type SqliteDatabase, sqlite, sqliteCode, withoutWaiting } from './open-database.js';

export interface ImmediateOptions {
  /** Give up after this many milliseconds of waiting for other processes; 15,000 by default. */
  readonly patience?: number;
}

/**
 * Between two tries for the lock a process sleeps 1 to 5 ms, evenly spread. Pauses that grow starve whoever came late, and shorter
 * ones, down to spinning, cost the processors that the writer needs. Meanwhile the lock is not idle: its holder goes on.
 */
const pause = () => 1 + Math.random() * 4;

/**
 * Runs `work` inside BEGIN IMMEDIATE … COMMIT, and rolls back when it throws. Another process's lock is waited for without
 * blocking the event loop, in jittered pauses. `work` is synchronous, so no other transaction of this process can slip in.
 * @throws HindsightError ledger_busy after the patience · disk_full · not_writable · ledger_corrupt · whatever `work` throws
 */
export async function immediate<T>(db: SqliteDatabase, work: () => T, options: ImmediateOptions = {}): Promise<T> {
  return withLock(db, () => commit(db, work), options);
}

/**
 * The same for work that waits for something else in between. The connection must be the work's own: whatever else is done on it
 * meanwhile is part of the transaction.
 */
export async function immediateAlone<T>(
  db: SqliteDatabase,
  work: () => Promise<T>,
  options: ImmediateOptions = {},
): Promise<T> {
  await withLock(db, () => undefined, options);
  try {
    const result = await work();
    db.prepare('COMMIT').run();
    return result;
  } catch (error) {
    if (db.raw.isTransaction) db.prepare('ROLLBACK').run();
    throw readableError(error, db.path);
  }
}

async function withLock<T>(db: SqliteDatabase, next: () => T, options: ImmediateOptions): Promise<T> {
  const deadline = Date.now() + (options.patience ?? 15_000);
  for (;;) {
    try {
      // SQLite's own waiting sleeps inside the driver, and blocks the event loop.
      withoutWaiting(db, () => db.prepare('BEGIN IMMEDIATE').run());
      return next();
    } catch (error) {
      const code = sqliteCode(error);
      const busy = code === sqlite.busy || code === sqlite.locked;
      if (!busy || Date.now() > deadline) throw readableError(error, db.path);
    }
    await sleep(pause());
  }
}

function commit<T>(db: SqliteDatabase, work: () => T): T {
  try {
    const result = work();
    db.prepare('COMMIT').run();
    return result;
  } catch (error) {
    if (db.raw.isTransaction) db.prepare('ROLLBACK').run();
    throw error;
  }
}

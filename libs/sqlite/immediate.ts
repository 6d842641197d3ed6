import { setTimeout as sleep } from 'node:timers/promises';
import { readableError, type SqliteDatabase, sqlite, sqliteCode } from './open-database.js';

export interface ImmediateOptions {
  /** Give up after this many milliseconds of waiting for other processes; 15,000 by default. */
  readonly patience?: number;
}

/**
 * Runs `work` inside BEGIN IMMEDIATE … COMMIT, and rolls back when it throws. Another process's lock is waited for without
 * blocking the event loop, in jittered pauses. `work` is synchronous, so no other transaction of this process can slip in.
 * @throws HindsightError ledger_busy after the patience · disk_full · not_writable · ledger_corrupt · whatever `work` throws
 */
export async function immediate<T>(db: SqliteDatabase, work: () => T, options: ImmediateOptions = {}): Promise<T> {
  const deadline = Date.now() + (options.patience ?? 15_000);
  for (let pause = 1; ; pause = Math.min(pause * 1.5, 20)) {
    try {
      return attempt(db, work);
    } catch (error) {
      const code = sqliteCode(error);
      const busy = code === sqlite.busy || code === sqlite.locked;
      if (!busy || Date.now() > deadline) throw readableError(error, db.path);
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

function attempt<T>(db: SqliteDatabase, work: () => T): T {
  db.prepare('BEGIN IMMEDIATE').run();
  try {
    const result = work();
    db.prepare('COMMIT').run();
    return result;
  } catch (error) {
    if (db.raw.isTransaction) db.prepare('ROLLBACK').run();
    throw error;
  }
}

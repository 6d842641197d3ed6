import { setTimeout as sleep } from 'node:timers/promises';
import { type SqliteDatabase, sqliteCode, withoutWaiting } from './open-database.js';

const tries = 10;

/**
 * Moves the write-ahead log into the database, and keeps writers out for its last step, so that the log starts over. SQLite's
 * automatic checkpoint does not: with eight processes writing the log never is at rest, grows to many times its limit, and every
 * commit beyond that tries again, with two fsyncs more. A log that starts over also stays in one place on the disk.
 *
 * It is not needed for durability: what goes wrong here is met, and told, by the next commit.
 */
export async function checkpoint(db: SqliteDatabase): Promise<void> {
  for (let attempt = 0; attempt < tries && db.raw.isOpen; attempt += 1) {
    try {
      // A try without the lock moves what it can while others go on writing, so the last one has little left to do.
      const full = db.prepare('PRAGMA wal_checkpoint(FULL)');
      const { busy } = withoutWaiting(db, () => full.get()) as { busy: number };
      if (busy === 0) return;
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
    }
    await sleep(1 + Math.random() * 3);
  }
}

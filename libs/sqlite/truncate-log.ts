import { readableError, type SqliteDatabase, sqlite, sqliteCode, withoutWaiting } from './open-database.js';

/**
 * Moves all of the write-ahead log into the file, and empties it: what was purged stands in it no more. False while another process reads
 * what was before.
 * @throws HindsightError disk_full, and as `readableError` has it
 */
export function truncateLog(db: SqliteDatabase): boolean {
  try {
    const truncate = () => db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    return withoutWaiting(db, truncate).busy === 0;
  } catch (error) {
    // A lock that is held by another process is met here as well.
    if (sqliteCode(error) === sqlite.busy || sqliteCode(error) === sqlite.locked) return false;
    throw readableError(error, db.path);
  }
}

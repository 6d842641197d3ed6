import { isHindsightError } from '#contract/errors.js';
import { sqlite, sqliteCode } from './open-database.js';

/** SQLITE_IOERR_SHORT_READ: the file ends before a page that it should hold. */
const shortRead = 522;

/** Whether the error means that the file itself can no longer be read. */
export function isDamage(error: unknown): boolean {
  const cause = isHindsightError(error) ? error.cause : error;
  const code = sqliteCode(cause);
  return (
    code === sqlite.corrupt ||
    code === sqlite.notADatabase ||
    (cause as { errcode?: number } | undefined)?.errcode === shortRead
  );
}

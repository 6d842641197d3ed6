import type { HindsightError } from '#contract/errors.js';
import type { SqliteDatabase } from '#sqlite/open-database.js';
import type { Position } from '../ledger.js';
import { filledAlready, ledgerMoved, type PlaceName, type PlaceStatus } from '../place.js';

/**
 * The mark that a ledger is elsewhere. A trigger refuses every insert while it stands, whichever release or program tries: the file itself
 * does not take it. A ledger that never moved has neither table nor trigger, and pays nothing.
 */
const ddl = `
CREATE TABLE IF NOT EXISTS moved (one INTEGER PRIMARY KEY CHECK (one = 1), place TEXT NOT NULL, shown TEXT NOT NULL, cut TEXT);
CREATE TRIGGER IF NOT EXISTS events_moved BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM moved)
  BEGIN SELECT RAISE(ABORT, 'the ledger has moved: nothing more is written here'); END;
`;

export function markMoved(db: SqliteDatabase, to: PlaceName, cut: Position | undefined): void {
  db.exec(ddl);
  db.prepare('INSERT OR REPLACE INTO moved (one, place, shown, cut) VALUES (1, ?, ?, ?)').run(
    to.id,
    to.shown,
    cut ?? null,
  );
}

export function unmarkMoved(db: SqliteDatabase): void {
  db.exec('DROP TRIGGER IF EXISTS events_moved; DROP TABLE IF EXISTS moved;');
}

/** Inside a transaction: lets inserts through until it ends. @throws HindsightError ledger_busy when the mark is gone */
export function fillMoved(db: SqliteDatabase, inserts: () => void): void {
  const status = movedStatus(db);
  if (status.open) throw filledAlready(db.path);
  db.prepare('DELETE FROM moved').run();
  inserts();
  markMoved(db, status.ledgerIsAt, status.cut);
}

interface Mark {
  readonly place: string;
  readonly shown: string;
  readonly cut: string | null;
}

export function movedStatus(db: SqliteDatabase): PlaceStatus {
  const mark = isMarkable(db)
    ? (db.prepare('SELECT place, shown, cut FROM moved').get() as Mark | undefined)
    : undefined;
  if (!mark) return { open: true };
  return { open: false, ledgerIsAt: { id: mark.place, shown: mark.shown }, cut: mark.cut ?? undefined };
}

/** Why an insert was refused, if it was because the ledger is elsewhere. */
export function movedError(db: SqliteDatabase): HindsightError | undefined {
  const status = movedStatus(db);
  return status.open ? undefined : ledgerMoved(status.ledgerIsAt);
}

function isMarkable(db: SqliteDatabase): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'moved'`).get() !== undefined;
}

import { HindsightError } from '#contract/errors.js';
import type { SqliteDatabase } from '#sqlite/open-database.js';

/** Written to user_version; a file with a higher one is left alone. */
const formatVersion = 1;

/** Written to application_id ("HLdg"), so that `file` and SQLite's own tools can tell a ledger. */
const applicationId = 0x484c6467;

/**
 * A stream's name is long (about 100 characters): the index holds a key of 16 bytes instead (`streamKey`), and so fits four times
 * as much on a page. The hash stands before the bytes, because what follows a large BLOB lies behind its overflow pages.
 *
 * The insert trigger is needed beside the other two: INSERT OR REPLACE deletes without firing a delete trigger. Its look-ups cost
 * 1.6 µs of an insert's 6.7, mostly for being a trigger at all.
 */
const ddl = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream_key BLOB NOT NULL,
  revision INTEGER NOT NULL,
  id BLOB NOT NULL,
  stream TEXT NOT NULL,
  type TEXT NOT NULL,
  hash BLOB NOT NULL,
  bytes BLOB NOT NULL
);
CREATE UNIQUE INDEX events_by_stream ON events (stream_key, revision);
CREATE UNIQUE INDEX events_by_id ON events (id);
CREATE TRIGGER events_never_replaced BEFORE INSERT ON events
  WHEN EXISTS (SELECT 1 FROM events WHERE stream_key = new.stream_key AND revision = new.revision)
    OR EXISTS (SELECT 1 FROM events WHERE id = new.id)
    OR EXISTS (SELECT 1 FROM events WHERE position = new.position)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: this event is already there'); END;
CREATE TRIGGER events_never_updated BEFORE UPDATE ON events
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: events are never changed'); END;
CREATE TRIGGER events_never_deleted BEFORE DELETE ON events
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: events are never deleted'); END;
CREATE TRIGGER meta_never_replaced BEFORE INSERT ON meta WHEN EXISTS (SELECT 1 FROM meta WHERE name = new.name)
  BEGIN SELECT RAISE(ABORT, 'the identity of a ledger never changes'); END;
CREATE TRIGGER meta_never_updated BEFORE UPDATE ON meta
  BEGIN SELECT RAISE(ABORT, 'the identity of a ledger never changes'); END;
CREATE TRIGGER meta_never_deleted BEFORE DELETE ON meta
  BEGIN SELECT RAISE(ABORT, 'the identity of a ledger never changes'); END;
`;

/**
 * Makes the tables and the ledger's id where they are missing; runs inside the write lock, so the first of several processes does
 * it and the others find it done.
 * @returns whether this process made it
 */
export function createLedger(db: SqliteDatabase, id: string): boolean {
  if (holdsLedger(db)) return false;
  db.exec(ddl);
  db.prepare(`INSERT INTO meta (name, value) VALUES ('ledger', ?)`).run(id);
  db.exec(`PRAGMA application_id = ${applicationId}`);
  db.exec(`PRAGMA user_version = ${formatVersion}`);
  return true;
}

export function newLedgerId(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(8)).toString('hex');
}

/** Tells this file from other places of the same ledger; made when it is first asked for. Runs inside the write lock. */
export function placeId(db: SqliteDatabase, random: (bytes: number) => Uint8Array): string {
  const find = () => db.prepare(`SELECT value FROM meta WHERE name = 'place'`).get() as { value: string } | undefined;
  if (!find())
    db.prepare(`INSERT INTO meta (name, value) VALUES ('place', ?)`).run(Buffer.from(random(8)).toString('hex'));
  return find()!.value;
}

/**
 * Whether the file is a ledger of this format; false when it is still empty.
 * @throws HindsightError newer_format · invalid_config when the file is another program's database
 */
export function holdsLedger(db: SqliteDatabase): boolean {
  const version = pragma(db, 'user_version');
  if (version > formatVersion) {
    throw new HindsightError(
      'newer_format',
      `${db.path} is a ledger of format ${version}; this release knows formats up to ${formatVersion}.`,
      { file: db.path, format: version, known: formatVersion },
    );
  }
  if (version === formatVersion) return true;
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number };
  if (tables.n > 0) {
    throw new HindsightError('invalid_config', `${db.path} is a SQLite database of another program, not a ledger.`, {
      file: db.path,
    });
  }
  return false;
}

export function ledgerId(db: SqliteDatabase): string {
  const row = db.prepare(`SELECT value FROM meta WHERE name = 'ledger'`).get() as { value: string } | undefined;
  if (!row) throw new HindsightError('ledger_corrupt', `${db.path} holds no ledger id.`, { file: db.path });
  return row.value;
}

function pragma(db: SqliteDatabase, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return row[name] ?? 0;
}

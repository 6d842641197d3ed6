import { readableError, type SqliteDatabase, sqlite, sqliteCode } from '#sqlite/open-database.js';
import type { StoredEvent } from '../ledger.js';
import { type EventValues, eventColumns, fromPosition, streamKey, toStoredEvent } from './columns.js';
import type { Page } from './paged.js';

/** A page ends after this many events or bytes, whichever comes first: an event may be 768 KiB. */
const pageEvents = 512;
const pageBytes = 1024 * 1024;

export type Direction = 'forward' | 'backward';

/** Called with the first and the last unreadable position of a stretch, and with SQLite's own words. */
export type OnUnreadable = (first: number, last: number, error: unknown) => void;

/** The read side of one open ledger file. */
export interface Pages {
  /** Next events after (forward) or before (backward) a row's number, skipping what cannot be read; empty at the end. */
  all(from: number | undefined, direction: Direction, limit: number): StoredEvent[];
  /** Next events of one stream from a revision on, inclusive. */
  stream(stream: string, from: number | undefined, direction: Direction, limit: number): Page;
  /** Number of the last row that can be read; 0 for none. Costs about 5 µs. */
  head(): number;
}

/**
 * Each page is a statement of its own, so that a slow consumer never holds a read transaction (which would keep the
 * write-ahead log from ever starting over).
 */
export function pagesOf(db: SqliteDatabase, onUnreadable: OnUnreadable): Pages {
  const sql = {
    forward: `SELECT ${eventColumns} FROM events WHERE position > ? ORDER BY position LIMIT ?`,
    backward: `SELECT ${eventColumns} FROM events WHERE position < ? ORDER BY position DESC LIMIT ?`,
  };
  const streamSql = {
    forward: `SELECT ${eventColumns} FROM events WHERE stream_key = ? AND revision >= ? ORDER BY revision LIMIT ?`,
    backward: `SELECT ${eventColumns} FROM events WHERE stream_key = ? AND revision <= ? ORDER BY revision DESC LIMIT ?`,
  };

  let readableHead: number | undefined;

  function head(): number {
    try {
      const row = db.prepare('SELECT max(position) AS head FROM events').get() as { head: number | null };
      return row.head ?? 0;
    } catch (error) {
      if (sqliteCode(error) !== sqlite.corrupt) throw readableError(error, db.path);
      // Nobody writes to a damaged ledger, so it is looked for once.
      readableHead ??= lastReadable(error);
      return readableHead;
    }
  }

  /** The last row's number is also in the indexes; from there back to the first that can be read. */
  function lastReadable(error: unknown): number {
    const last = lastKnown();
    for (let position = last; position > 0; position -= 1) {
      if (one(position).length === 0) continue;
      onUnreadable(position + 1, Math.max(last, position + 1), error);
      return position;
    }
    onUnreadable(1, Math.max(last, 1), error);
    return 0;
  }

  function lastKnown(): number {
    try {
      const sql = 'SELECT max(position) AS head FROM events INDEXED BY events_by_id WHERE id IS NOT NULL';
      return (db.prepare(sql).get() as { head: number | null }).head ?? 0;
    } catch (error) {
      throw readableError(error, db.path);
    }
  }

  function all(from: number | undefined, direction: Direction, limit: number): StoredEvent[] {
    const start = from ?? (direction === 'forward' ? 0 : Number.MAX_SAFE_INTEGER);
    const { events, error } = page(sql[direction], [start], limit);
    // What came before the damage is given out first; the next page begins at it.
    if (error === undefined || events.length > 0) return events;
    return pastDamage(start, direction, limit, error);
  }

  /** Asks for one row after the other until one can be read again. */
  function pastDamage(from: number, direction: Direction, limit: number, error: unknown): StoredEvent[] {
    const end = head();
    const step = direction === 'forward' ? 1 : -1;
    const beside = Math.min(from, end + 1) + step;
    if (beside < 1 || beside > end) return [];
    let position = beside;
    let next = one(position);
    for (; next.length === 0; next = one(position)) {
      position += step;
      if (position < 1 || position > end) break;
    }
    // When the row beside can be read by its number, the way to it is what is damaged.
    const unreadable = position === beside ? [beside, beside] : [beside, position - step];
    onUnreadable(Math.min(...unreadable), Math.max(...unreadable), error);
    const rest = next.length > 0 && limit > 1 ? page(sql[direction], [position], limit - 1).events : [];
    return [...next, ...rest];
  }

  function one(position: number): StoredEvent[] {
    try {
      const statement = inArrays(db.prepare(`SELECT ${eventColumns} FROM events WHERE position = ?`));
      return statement.all(position).map((row) => toStoredEvent(row as unknown as EventValues));
    } catch (error) {
      if (sqliteCode(error) !== sqlite.corrupt) throw readableError(error, db.path);
      return [];
    }
  }

  function stream(name: string, from: number | undefined, direction: Direction, limit: number): Page {
    const start = from ?? (direction === 'forward' ? 0 : Number.MAX_SAFE_INTEGER);
    if (direction === 'forward' && hasNone(name, start)) return { events: [], ended: true };
    const { events, ended, error } = page(streamSql[direction], [streamKey(name), start], limit);
    if (error === undefined) return { events, ended };
    return { events: streamByScan(name, start, direction, limit), ended: true };
  }

  /**
   * A writer asks for the stream of every memory that it writes first, and finds nothing: the index alone says so, for a fifth
   * of what preparing to read rows costs. What cannot be read is for the reading itself to meet.
   */
  function hasNone(name: string, from: number): boolean {
    try {
      const found = db
        .prepare('SELECT 1 FROM events WHERE stream_key = ? AND revision >= ? LIMIT 1')
        .get(streamKey(name), from);
      return found === undefined;
    } catch {
      return false;
    }
  }

  /** The whole ledger is gone through when the index or a row of the stream cannot be read; what can be is given out. */
  function streamByScan(name: string, start: number, direction: Direction, limit: number): StoredEvent[] {
    const found: StoredEvent[] = [];
    let events = all(undefined, direction, pageEvents);
    while (events.length > 0) {
      for (const event of events) {
        const wanted = direction === 'forward' ? event.revision >= start : event.revision <= start;
        if (event.stream === name && wanted) found.push(event);
        if (found.length === limit) return found;
      }
      events = all(fromPosition(events.at(-1)!.position), direction, pageEvents);
    }
    return found;
  }

  function page(text: string, values: readonly (number | Uint8Array)[], limit: number): Page & { error?: unknown } {
    const events: StoredEvent[] = [];
    let bytes = 0;
    const statement = inArrays(db.prepare(text));
    try {
      for (const row of statement.iterate(...values, Math.min(limit, pageEvents))) {
        const event = toStoredEvent(row as unknown as EventValues);
        events.push(event);
        bytes += event.bytes.byteLength;
        if (bytes >= pageBytes) return { events, ended: false };
      }
      return { events, ended: events.length < Math.min(limit, pageEvents) };
    } catch (error) {
      if (sqliteCode(error) !== sqlite.corrupt) throw readableError(error, db.path);
      // An iteration that failed leaves its statement at the error, and the next one would begin with it.
      statement.all(...values, 0);
      return { events, ended: false, error };
    }
  }

  return { all, stream, head };
}

function inArrays<S extends { setReturnArrays(arrays: boolean): void }>(statement: S): S {
  statement.setReturnArrays(true);
  return statement;
}

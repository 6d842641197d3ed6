import { readableError, type SqliteDatabase, sqlite, sqliteCode } from '#sqlite/open-database.js';
import type { StoredEvent } from '../ledger.js';
import { type EventRow, eventColumns, fromPosition, streamKey, toStoredEvent } from './columns.js';

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
  stream(stream: string, from: number | undefined, direction: Direction, limit: number): StoredEvent[];
  /** Number of the last row; 0 for none. Costs about 5 µs. */
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

  function head(): number {
    const row = attempt(() => db.prepare('SELECT max(position) AS head FROM events').get()) as { head: number | null };
    return row.head ?? 0;
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
    let unreadable: { first: number; last: number } | undefined;
    let position = Math.min(from, end + 1) + step;
    for (; position >= 1 && position <= end; position += step) {
      const found = page(`SELECT ${eventColumns} FROM events WHERE position = ? LIMIT ?`, [position], 1);
      if (found.events.length > 0) break;
      if (found.error === undefined) continue;
      unreadable = {
        first: Math.min(position, unreadable?.first ?? position),
        last: Math.max(position, unreadable?.last ?? position),
      };
    }
    // Every row can be read by its number: then the way from one row to the next is what is damaged.
    const passed = unreadable ?? { first: position, last: position };
    onUnreadable(passed.first, passed.last, error);
    if (position < 1 || position > end) return [];
    const next = page(`SELECT ${eventColumns} FROM events WHERE position = ? LIMIT ?`, [position], 1).events;
    const rest = limit > 1 ? page(sql[direction], [position], limit - 1).events : [];
    return [...next, ...rest];
  }

  function stream(name: string, from: number | undefined, direction: Direction, limit: number): StoredEvent[] {
    const start = from ?? (direction === 'forward' ? 0 : Number.MAX_SAFE_INTEGER);
    const { events, error } = page(streamSql[direction], [streamKey(name), start], limit);
    if (error === undefined) return events;
    return streamByScan(name, start, direction, limit);
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

  function page(
    text: string,
    values: readonly (number | Uint8Array)[],
    limit: number,
  ): { events: StoredEvent[]; error?: unknown } {
    const events: StoredEvent[] = [];
    let bytes = 0;
    try {
      for (const each of db.prepare(text).iterate(...values, Math.min(limit, pageEvents))) {
        const row = each as unknown as EventRow;
        events.push(toStoredEvent(row));
        bytes += row.bytes.byteLength;
        if (bytes >= pageBytes) break;
      }
      return { events };
    } catch (error) {
      if (sqliteCode(error) !== sqlite.corrupt) throw readableError(error, db.path);
      return { events, error };
    }
  }

  function attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw readableError(error, db.path);
    }
  }

  return { all, stream, head };
}

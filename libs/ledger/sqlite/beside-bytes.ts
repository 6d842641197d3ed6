import type { SqliteDatabase } from '#sqlite/open-database.js';
import type { StoredEvent } from '../ledger.js';
import { fromPosition, streamKey, toIdColumn } from './columns.js';

type Found = readonly [position: number, key: Uint8Array | null, id: Uint8Array | string | null];

/** Rows that are read at a time, in the ledger's order. */
const ahead = 512;

/**
 * What is wrong with those columns of an event that stand for it in the indexes, and that no hash covers: by a stream's key a writer finds
 * what was written before, and by an id what is there already. What the columns say that readers are given is held against the envelope by
 * whoever verifies.
 *
 * Reads in pages, so that no read transaction stays open; as a column of every read it would cost each of them.
 */
export function besideBytes(db: SqliteDatabase): (event: StoredEvent) => string | undefined {
  const some = db.prepare('SELECT position, stream_key, id FROM events WHERE position >= ? ORDER BY position LIMIT ?');
  some.setReturnArrays(true);
  let page = new Map<number, Found>();
  const read = (position: number, limit: number) => {
    const rows = some.all(position, limit) as unknown as Found[];
    return new Map(rows.map((row) => [row[0], row]));
  };
  const rowOf = (position: number): Found | undefined => {
    if (page.has(position)) return page.get(position);
    try {
      page = read(position, ahead);
    } catch {
      // Something after it cannot be read, which the reading itself meets; this one was.
      page = read(position, 1);
    }
    return page.get(position);
  };
  return (event) => {
    const row = rowOf(fromPosition(event.position));
    if (!row) return 'it was read, and its row is not there by its number';
    const [, key, id] = row;
    if (!isSame(key, streamKey(event.stream)))
      return 'the key by which it is found is not that of its stream: who asks for its stream misses it';
    if (!isSame(id, toIdColumn(event.id)))
      return 'its id is not stored as ids are: who asks whether it is there misses it';
    return undefined;
  };
}

function isSame(stored: Uint8Array | string | null, meant: Uint8Array | string): boolean {
  if (typeof meant === 'string' || typeof stored === 'string' || stored === null) return stored === meant;
  return Buffer.compare(stored, meant) === 0;
}

import { HindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import { type SqliteDatabase, sqlite, sqliteCode } from '#sqlite/open-database.js';
import { type AppendRequest, firstRevision, wrongExpectedRevision } from '../append-request.js';
import type { Appended } from '../ledger.js';
import { streamKey, toIdColumn, toPosition } from './columns.js';
import { movedError } from './moved.js';

/**
 * Writes one append inside the transaction that is open, wholly or not at all, and says how it went. A refusal leaves what else is
 * in the transaction alone, so that one conflict does not disturb those that share the fsync.
 * @throws whatever ends the whole transaction: a full disk, a damaged page
 */
export function writeAppend(db: SqliteDatabase, request: AppendRequest): Appended | HindsightError {
  const { events, expected } = request;
  const key = streamKey(request.stream);
  // A first event in a new stream needs no look: the index refuses it when the stream is there.
  if (expected !== 'no_stream' && lastRevision(db, key) !== expected) return explain(db, key, request);
  const several = events.length > 1;
  if (several) db.prepare('SAVEPOINT append').run();
  try {
    let position = 0;
    for (const event of events) position = insert(db, key, event);
    if (several) db.prepare('RELEASE append').run();
    return { position: toPosition(position), revision: events.at(-1)!.revision, repeated: false };
  } catch (error) {
    if (sqliteCode(error) !== sqlite.constraint) throw error;
    if (several) {
      db.prepare('ROLLBACK TO append').run();
      db.prepare('RELEASE append').run();
    }
    return explain(db, key, request);
  }
}

function insert(db: SqliteDatabase, key: Uint8Array, event: EncodedEvent): number {
  const { lastInsertRowid } = db
    .prepare('INSERT INTO events (stream_key, revision, id, stream, type, hash, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(key, event.revision, toIdColumn(event.id), event.stream, event.type, event.hash, event.bytes);
  return Number(lastInsertRowid);
}

/** Why an append could not be written: it was already, the ledger or the stream stands elsewhere, or an event id is taken. */
function explain(db: SqliteDatabase, key: Uint8Array, request: AppendRequest): Appended | HindsightError {
  const { stream, events, expected } = request;
  const first = firstRevision(expected);
  const last = events.at(-1)!;
  const places = events.map((event) => placeOf(db, event.id));
  if (places.every((place, index) => place?.stream === stream && place.revision === first + index)) {
    return { position: toPosition(places.at(-1)!.position), revision: last.revision, repeated: true };
  }
  const moved = movedError(db);
  if (moved) return moved;
  const found = lastRevision(db, key);
  if (found !== first - 1) {
    return wrongExpectedRevision(stream, expected, found < 0 ? 'no_stream' : found);
  }
  const taken = places.findIndex((place) => place !== undefined);
  const eventId = taken < 0 ? undefined : events[taken]!.id;
  return new HindsightError(
    'idempotency_key_reused',
    `Event id ${eventId ?? last.id} is already in the ledger, in ${places[taken]?.stream ?? stream}.`,
    { stream, eventId },
  );
}

function placeOf(db: SqliteDatabase, id: string): { stream: string; revision: number; position: number } | undefined {
  return db.prepare('SELECT stream, revision, position FROM events WHERE id = ?').get(toIdColumn(id)) as
    | { stream: string; revision: number; position: number }
    | undefined;
}

/** -1 for a stream that is not there. */
function lastRevision(db: SqliteDatabase, key: Uint8Array): number {
  const row = db.prepare('SELECT revision FROM events WHERE stream_key = ? ORDER BY revision DESC LIMIT 1').get(key) as
    | { revision: number }
    | undefined;
  return row?.revision ?? -1;
}

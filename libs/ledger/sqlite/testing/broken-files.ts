import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { sampleStream } from '../../sample-events.js';
import { openSqliteLedger } from '../sqlite-ledger.js';

const pageSize = 4096;

/** A closed ledger of so many streams of two events each; their ids in order. */
export async function writtenLedger(path: string, streams: number): Promise<{ ids: string[]; names: string[] }> {
  const ledger = await openSqliteLedger(path);
  const ids: string[] = [];
  const names: string[] = [];
  for (let each = 0; each < streams; each += 1) {
    const stream = sampleStream(ledger.id);
    const events = [stream.next({ padding: 600 }), stream.next({ padding: 600 })];
    await ledger.append(stream.name, events, 'no_stream');
    ids.push(...events.map((event) => event.id));
    names.push(stream.name);
  }
  await ledger.close();
  return { ids, names };
}

/** Overwrites the head of the page that holds the bytes of the event with this id, as a bad disk would. */
export function breakPageOf(path: string, eventId: string): void {
  // The id stands in the event's bytes as text; in the index it is binary.
  const at = readFileSync(path).indexOf(`"id":"${eventId}"`);
  if (at < 0) throw new Error(`${eventId} was not found in ${path}`);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(16, 0xff), 0, 16, Math.floor(at / pageSize) * pageSize);
  closeSync(file);
}

/** Changes rows behind the triggers' backs. */
export function tamper(path: string, ...statements: string[]): void {
  const db = new DatabaseSync(path);
  for (const trigger of ['events_never_replaced', 'events_never_updated', 'events_never_deleted']) {
    db.exec(`DROP TRIGGER ${trigger}`);
  }
  for (const statement of statements) db.exec(statement);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

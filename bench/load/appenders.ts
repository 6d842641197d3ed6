import { randomBytes } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { v7 as uuid } from 'uuid';
import { memoryStream } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { deriveContentKey } from '#sealing/content-key.js';
import { pooledRandom } from '#sealing/pooled-random.js';
import { sealEvent } from '#sealing/seal-event.js';
import { sentences } from './sentences.js';

export interface Appender {
  /** Appends so many new events, durably, all with one fsync; answers with the milliseconds that it took. */
  append(events: number): Promise<number>;
}

/** What ingest does for each new memory: a key of its own is derived, the content sealed, the event hashed and appended. */
export function sealedLedger(ledger: Ledger): Appender & { readonly eventBytes: number } {
  const bankSecret = randomBytes(32);
  const random = pooledRandom();
  // The vault makes memories' secrets in batches, ahead of the appends that use them.
  const secret = () => randomBytes(32);
  const text = sentences(1);

  function seal({ content, secret }: { content: string; secret: Uint8Array }) {
    const memoryId = uuid();
    const stream = memoryStream(ledger.id, 'b0123456789abcdef0123456789abcdef', memoryId);
    const key = { id: 'bucket.1', key: deriveContentKey(secret, bankSecret) };
    const event = {
      type: 'MemoryRecorded',
      data: { memoryId, version: 1, kind: 'semantic', origin: 'agent' },
      content: { content: JSON.stringify(content), tags: ['bench'] },
    } as const;
    const context = {
      id: uuid(),
      ledger: ledger.id,
      bank: 'b0123456789abcdef0123456789abcdef',
      stream,
      revision: 0,
      previous: null,
      recordedAt: new Date().toISOString(),
      principal: 'os:bench',
      trust: 0.8,
    };
    return sealEvent(
      { ...event, content: { ...event.content, tags: [...event.content.tags] } },
      context,
      key,
      random(12),
    );
  }

  return {
    eventBytes: seal({ content: text.next(), secret: secret() }).bytes.byteLength,
    append: async (events) => {
      const contents = Array.from({ length: events }, () => ({ content: text.next(), secret: secret() }));
      const began = performance.now();
      const sealed = contents.map(seal);
      await Promise.all(sealed.map((event) => ledger.append(event.stream, [event], 'no_stream')));
      return performance.now() - began;
    },
  };
}

/** The bare driver with prepared statements on a ledger's own table and indexes, with its triggers only where they are asked for. */
export async function rawDriver(
  path: string,
  eventBytes: number,
  { triggers = false } = {},
): Promise<Appender & { close(): void }> {
  await (await openSqliteLedger(path)).close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA busy_timeout = 15000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  for (const trigger of triggers ? [] : ['replaced', 'updated', 'deleted'])
    db.exec(`DROP TRIGGER IF EXISTS events_never_${trigger}`);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insert = db.prepare(
    'INSERT INTO events (stream_key, revision, id, stream, type, hash, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

  return {
    append: async (events) => {
      const rows = Array.from({ length: events }, () => {
        const memoryId = uuid();
        const key = Buffer.concat([bytesOf(memoryId).subarray(0, 6), randomBytes(10)]);
        const stream = memoryStream('0123456789abcdef', 'b0123456789abcdef0123456789abcdef', memoryId);
        return [key, 0, bytesOf(uuid()), stream, 'MemoryRecorded', randomBytes(32), randomBytes(eventBytes)] as const;
      });
      const began = performance.now();
      begin.run();
      for (const row of rows) insert.run(...row);
      commit.run();
      return performance.now() - began;
    },
    close: () => db.close(),
  };
}

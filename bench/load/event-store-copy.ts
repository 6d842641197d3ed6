import { join } from 'node:path';
import { hashAlgorithm } from '#events/hash.js';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import type { Ledger, Position } from '#ledger/ledger.js';
import { openEventLog } from '#test/engines/eventstoredb/event-log.js';
import { type SpawnedEventStore, spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';

/** The same ledger in the EventStoreDB test server, whose file is written directly: a million appends through the protocol take too long. */
export interface EventStoreCopy {
  /** The test server's file: a line of JSON with base64 for each append, and no index. */
  readonly file: string;
  /** What the ledger got since the last time; no ledger that was opened before goes on. */
  bring(): Promise<void>;
  open(): Promise<Ledger>;
  /** Bytes of the events brought so far, and of what stands beside them. */
  bytes(): { readonly events: number; readonly beside: number; readonly count: number };
  kill(): Promise<void>;
}

/** Appends in hand at once. */
const atOnce = 2_000;

export async function eventStoreCopy(from: Ledger, folder: string): Promise<EventStoreCopy> {
  const store: SpawnedEventStore = await spawnEventStore(folder);
  const open = () => openEventStoreLedger(store.connectionString, { random: () => Buffer.from(from.id, 'hex') });
  await (await open()).close();
  let after: Position | undefined;
  let events = 0;
  let beside = 0;
  let count = 0;
  return {
    file: join(folder, 'events.jsonl'),
    open,
    bytes: () => ({ events, beside, count }),
    async bring() {
      await store.kill();
      const log = await openEventLog(folder);
      let pending: Promise<unknown>[] = [];
      for await (const { position, stream, revision, id, type, bytes, hash } of from.readAll({ after })) {
        const metadata = Buffer.from(
          JSON.stringify({ hash: Buffer.from(hash).toString('base64url'), alg: hashAlgorithm }),
        );
        const event = { id, type, contentType: 'application/octet-stream', data: bytes, metadata };
        pending.push(log.append(stream, [event], revision === 0 ? 'no_stream' : revision - 1));
        after = position;
        events += bytes.length;
        beside += metadata.length;
        count++;
        if (pending.length < atOnce) continue;
        await Promise.all(pending);
        pending = [];
      }
      await Promise.all(pending);
      await log.close();
      await store.start();
    },
    kill: () => store.kill(),
  };
}

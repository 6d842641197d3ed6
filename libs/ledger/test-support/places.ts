import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SpawnedEventStore, spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';
import { openEventStorePlace } from '../eventstoredb/eventstore-place.js';
import { openEventStoreLedger } from '../eventstoredb/eventstoredb-ledger.js';
import type { Ledger } from '../ledger.js';
import type { Place } from '../place.js';
import { openSqliteLedger } from '../sqlite/sqlite-ledger.js';
import { openSqlitePlace } from '../sqlite/sqlite-place.js';
import { appendAll, type Step } from './random-history.js';

/** Short, so that closing does not take 12 s. */
export const trust = 400;

/** Files and an EventStoreDB test server, in processes and folders that go with them. */
export interface Places {
  readonly server: SpawnedEventStore;
  /** A path that is not taken. */
  file(): string;
  inFile(path: string, from?: Place): Promise<Place>;
  inEventStore(from?: Place): Promise<Place>;
  /** As processes that write have them. */
  writerOfFile(path: string): Promise<Ledger>;
  writerOfEventStore(): Promise<Ledger>;
  /** A ledger in a file, with this history. */
  written(path: string, steps: readonly Step[]): Promise<Place>;
  remove(): Promise<void>;
}

export async function places(): Promise<Places> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-places-'));
  const server = await spawnEventStore(join(folder, 'eventstore'));
  const leaving: (() => Promise<void>)[] = [];
  let files = 0;
  const coming = (from?: Place) => from && { ledger: from.ledger.id, from: from.name };
  const place = async (opening: Promise<Place>) => {
    const opened = await opening;
    leaving.push(() => opened.leave());
    return opened;
  };
  const writer = async (opening: Promise<Ledger>) => {
    const opened = await opening;
    leaving.push(() => opened.close());
    return opened;
  };
  const inFile = (path: string, from?: Place) => place(openSqlitePlace(path, { shown: path, coming: coming(from) }));
  return {
    server,
    file: () => join(folder, `${++files}.db`),
    inFile,
    inEventStore: (from) => place(openEventStorePlace(server.connectionString, { coming: coming(from), trust })),
    writerOfFile: (path) => writer(openSqliteLedger(path)),
    writerOfEventStore: () => writer(openEventStoreLedger(server.connectionString, { trust })),
    async written(path, steps) {
      const ledger = await openSqliteLedger(path);
      await appendAll(ledger, steps);
      await ledger.close();
      return inFile(path);
    },
    async remove() {
      for (const leave of leaving.splice(0).reverse()) await leave();
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function someSteps(count: number): Step[] {
  return Array.from({ length: count }, (_, index) => ({
    stream: (index * 7) % 11,
    events: 1 + (index % 3),
    padding: index,
  }));
}

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BinaryEventData, EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import type { Ledger } from '#ledger/ledger.js';
import { appendOne, bankEvent } from '#projector/relay/test-support/bank-writer.js';
import { spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';

const sizes = [1_000, 10_000];
const fullSizes = [...sizes, 100_000];
/** Appends on their way at once. */
const widths = [1, 16, 64];
const rounds = 5;
const banks = 200;
/** Bytes of data; with some 450 more an event is as large as one of a sentence or two. */
const padding = 600;

interface Line {
  /** Events that are there already. */
  readonly before: number;
  readonly inFlight: number;
  /** Appends a second. */
  readonly ledger: number;
  /** The client with a call for each append, as the adapter uses it; */
  readonly single: number;
  /** and as it is by default: one stream of batched appends, of which one that fails rejects all that are on their way. */
  readonly batched: number;
  /** The ledger's rate of the client's, in the round in the middle. */
  readonly ofSingle: number;
  readonly ofBatched: number;
  readonly load: number;
}

/** Appends one event to a stream of its own. */
type Append = () => Promise<unknown>;

/**
 * The adapter against the official client's own appendToStream with the same bytes and as many on their way, in turns, on the test server:
 * a program of our own that writes one file with shared fsyncs, and no EventStoreDB. What a real one takes is not in these figures;
 * HINDSIGHT_LEDGER_TEST_EVENTSTORE has the address of one to ask instead.
 */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-eventstoredb-'));
  const given = process.env.HINDSIGHT_LEDGER_TEST_EVENTSTORE;
  const store = given ? undefined : await spawnEventStore(join(folder, 'events'));
  const address = given ?? store!.connectionString;
  const ledger = await openEventStoreLedger(address, { name: `b${randomUUID().slice(0, 8)}` });
  const client = EventStoreDBClient.connectionString(address);
  const single = Object.assign(EventStoreDBClient.connectionString(address), { supports: async () => false });
  const ways = {
    ledger: throughLedger(ledger),
    single: plainly(single, ledger.id),
    batched: plainly(client, ledger.id),
  };
  const lines: Line[] = [];
  if (!options.json)
    process.stdout.write(given ? 'a server that was given\n' : 'the test server, which is no EventStoreDB\n');
  for (const width of widths) for (const append of Object.values(ways)) await rate(append, 300, width);
  let written = 0;
  for (const size of options.full ? fullSizes : sizes) {
    await rate(ways.ledger, size - written, 64);
    written = size;
    for (const inFlight of widths) {
      const line = await compare(ways, size, inFlight);
      lines.push(line);
      if (!options.json) print(line);
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(lines)}\n`);
  await ledger.close();
  await Promise.all([client.dispose(), single.dispose()]);
  await store?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function throughLedger(ledger: Ledger): Append {
  let bank = 0;
  return () => appendOne(ledger, bankEvent(ledger.id, `b${bank++ % banks}`, { padding }));
}

function plainly(client: EventStoreDBClient, ledger: string): Append {
  return () => {
    const { id, type, bytes, hash } = bankEvent(ledger, 'plain', { padding });
    const event: BinaryEventData = {
      id,
      type,
      contentType: 'application/octet-stream',
      data: bytes,
      metadata: { hash: Buffer.from(hash).toString('base64url') },
    };
    return client.appendToStream(`plain-${id}`, event, { expectedRevision: NO_STREAM });
  };
}

type Ways = Readonly<Record<'ledger' | 'single' | 'batched', Append>>;

async function compare(ways: Ways, before: number, inFlight: number): Promise<Line> {
  const events = inFlight === 1 ? 200 : 1_000;
  const order = ['ledger', 'single', 'batched'] as const;
  const found: Record<(typeof order)[number], number>[] = [];
  for (let round = 0; round < rounds; round++) {
    const rates = { ledger: 0, single: 0, batched: 0 };
    for (const way of round % 2 ? order : order.toReversed()) rates[way] = await rate(ways[way], events, inFlight);
    found.push(rates);
  }
  return {
    before,
    inFlight,
    ledger: median(found.map(({ ledger }) => ledger)),
    single: median(found.map(({ single }) => single)),
    batched: median(found.map(({ batched }) => batched)),
    ofSingle: median(found.map(({ ledger, single }) => ledger / single)),
    ofBatched: median(found.map(({ ledger, batched }) => ledger / batched)),
    load: loadavg()[0]!,
  };
}

/** A second, with so many on their way at any time. */
async function rate(append: Append, events: number, inFlight: number): Promise<number> {
  let left = events;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await append();
    }),
  );
  return (1000 * events) / (performance.now() - began);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

function print({ before, inFlight, ledger, single, batched, ofSingle, ofBatched, load }: Line): void {
  process.stdout.write(
    `${String(before).padStart(7)} there, ${String(inFlight).padStart(2)} in flight: ledger ${ledger.toFixed(0)}/s; ` +
      `the client by calls ${single.toFixed(0)}/s: ${(ofSingle * 100).toFixed(0)}%; by batches ${batched.toFixed(0)}/s: ${(ofBatched * 100).toFixed(0)}%; load ${load.toFixed(1)}\n`,
  );
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { bankOfStream } from '#events/stream-name.js';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openKafkaFeed } from '#projector/feed/kafka/kafka-feed.js';
import { openKafkaPublisher } from '#projector/feed/kafka/kafka-publisher.js';
import { runRelay } from '#projector/relay/run-relay.js';
import { appendOne, bankEvent } from '#projector/relay/test-support/bank-writer.js';
import { engine } from '#test/engines/engines.js';
import { spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';
import { partitionOf } from '#views/partition.js';
import { percentiles } from './load/percentiles.js';
import { alone, relayed } from './load/relayed.js';
import { withEngines } from './load/with-engines.js';

const partitions = 8;
const banks = 200;
const sizes = [1_000, 10_000];
const fullSizes = [...sizes, 100_000];
/** Bytes of data; an event is some 450 more, as one with a memory of a sentence or two is. */
const padding = 600;
const writesPerSecond = 500;
const seconds = 20;
const quiet = { info() {}, warn() {} };
interface Rate {
  readonly from: string;
  readonly events: number;
  readonly bytesEach: number;
  /** Events per second: the relay, and the plain client that sends the same bytes in batches of 1,000. */
  readonly relay: number;
  readonly plain: number;
}

/**
 * From a ledger into Kafka, against the client alone in the same run; then how long after its append an event comes to a
 * consumer, at 500 appends a second.
 */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  await withEngines(['kafka'], () => measure(options));
}

async function measure(options: { json?: boolean; full?: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-relay-'));
  const broker = engine('kafka');
  const store = await spawnEventStore(join(folder, 'events'));
  const ledgers: [string, () => Promise<Ledger>][] = [
    ['sqlite', () => openSqliteLedger(join(folder, `${randomBytes(4).toString('hex')}.db`))],
    [
      'eventstoredb',
      () => openEventStoreLedger(store.connectionString, { name: `l${randomBytes(4).toString('hex')}` }),
    ],
  ];
  const rates: Rate[] = [];
  const latencies: object[] = [];
  for (const [from, open] of ledgers) {
    const ledger = await open();
    await fill(ledger, 0, 500);
    await relayed(ledger, broker, partitions);
    let written = 500;
    for (const size of options.full ? fullSizes : sizes) {
      await fill(ledger, written, size);
      written = size;
      const events = await all(ledger);
      const bytesEach = Math.round(events.reduce((sum, { bytes }) => sum + bytes.length, 0) / events.length);
      const plain = await sentPlainly(events, broker);
      const { events: count, seconds: took } = await relayed(ledger, broker, partitions);
      const relay = count / took;
      const rate = { from, events: size, bytesEach, relay, plain };
      rates.push(rate);
      if (!options.json) printRate(rate);
    }
    const latency = { from, writesPerSecond, ...(await timed(ledger, broker)) };
    latencies.push(latency);
    if (!options.json) process.stdout.write(`append → consumer, ${JSON.stringify(latency)}\n`);
    await ledger.close();
  }
  if (options.json) process.stdout.write(`${JSON.stringify({ rates, latencies })}\n`);
  await store.kill();
  rmSync(folder, { recursive: true, force: true });
}

function printRate({ from, events, bytesEach, relay, plain }: Rate): void {
  const share = ((100 * relay) / plain).toFixed(0);
  process.stdout.write(
    `${from}, ${events} events of ${bytesEach} bytes: relay ${relay.toFixed(0)}/s, plain client ${plain.toFixed(0)}/s (${share}%); load ${loadavg()[0]!.toFixed(1)}\n`,
  );
}

async function fill(ledger: Ledger, written: number, to: number): Promise<void> {
  for (let from = written; from < to; from += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, to - from) }, (_, index) =>
        appendOne(ledger, bankEvent(ledger.id, `b${(from + index) % banks}`, { padding })),
      ),
    );
  }
}

async function all(ledger: Ledger): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of ledger.readAll()) events.push(event);
  return events;
}

async function sentPlainly(events: readonly StoredEvent[], broker: string): Promise<number> {
  const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });
  const topic = `plain-${randomBytes(6).toString('hex')}`;
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: partitions }] });
  const producer = kafka.producer({
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition!,
  });
  await producer.connect();
  const began = performance.now();
  for (let from = 0; from < events.length; from += 1000) {
    const messages = events.slice(from, from + 1000).map(({ stream, bytes }) => ({
      partition: partitionOf(bankOfStream(stream), partitions),
      value: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    }));
    await producer.send({ topic, acks: -1, messages });
  }
  const took = performance.now() - began;
  await producer.disconnect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  return (1000 * events.length) / took;
}

/** Milliseconds from an append's beginning to its event's coming to a consumer; ledger, relay and consumer in one process, of which `cpu` is the share of a core. */
async function timed(ledger: Ledger, broker: string): Promise<object> {
  const place = { brokers: [broker], ledger: `${ledger.id}${randomBytes(4).toString('hex')}`, partitions };
  const stopping = new AbortController();
  const { signal } = stopping;
  const relay = runRelay({ ledger, openPublisher: () => openKafkaPublisher(place), elect: alone, log: quiet }, signal);
  const feed = openKafkaFeed({ ...place, log: quiet });
  const appended = new Map<string, number>();
  const took: number[] = [];
  let reached = '';
  const consuming = feed.consume(
    'bench.g1',
    async ({ events, to }) => {
      const now = performance.now();
      if (to > reached) reached = to;
      for (const { event } of events) {
        const at = appended.get(event.id);
        if (at !== undefined) took.push(now - at);
        appended.delete(event.id);
      }
    },
    signal,
  );
  const head = (await ledger.head())!;
  while (reached < head) await sleep(100);
  await sleep(2_000);
  const before = process.cpuUsage();
  const began = performance.now();
  for (let written = 0; written < writesPerSecond * seconds; written += 1) {
    const due = began + (1000 * written) / writesPerSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const event = bankEvent(ledger.id, `b${written % banks}`, { padding });
    appended.set(event.id, performance.now());
    void appendOne(ledger, event);
  }
  const spent = process.cpuUsage(before);
  const elapsed = performance.now() - began;
  await sleep(1_000);
  stopping.abort();
  await Promise.all([relay, consuming]);
  await feed.close();
  const { p50, p95, p99 } = percentiles(took);
  const cpu = (spent.user + spent.system) / 1000 / elapsed;
  return { p50, p95, p99, worst: Math.max(...took), events: took.length, cpu };
}

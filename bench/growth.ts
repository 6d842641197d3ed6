import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Ledger } from '#ledger/ledger.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import { createFedProjector } from '#projector/fed/create-fed-projector.js';
import { createMemoryFeed } from '#projector/feed/test-support/memory-feed.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { emptyBankIndex } from '#query/bank-index/bank-index.js';
import { createQueries } from '#query/create-queries.js';
import { engine, freshDatabase } from '#test/engines/engines.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { openHotStore } from '#views/redis/hot-store.js';
import { openHotViews } from '#views/redis/open-hot-views.js';
import type { Views } from '#views/views.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { type EventStoreCopy, eventStoreCopy } from './load/event-store-copy.js';
import { type ManyBanksHome, manyBanksHome } from './load/many-banks-home.js';
import { memoryInUse } from './load/memory-in-use.js';
import { bytesInUse } from './load/plain-copy.js';
import { relayed } from './load/relayed.js';
import { sentences } from './load/sentences.js';
import { withEngines } from './load/with-engines.js';

const sizes = [1_000, 10_000, 100_000];
const fullSizes = [...sizes, 1_000_000];
const banks = 16;
const partitions = 8;
const questions = 500;
const silent = plainLog('silent', () => undefined);

/** Bytes are per event, seconds of the whole. */
interface Grown {
  readonly events: number;
  /** The event's own bytes with the hash that stands beside it, which any store keeps; and the files of two that do. */
  readonly ownBytes: number;
  readonly sqliteBytes: number;
  /** Secrets of memories, in the embedded profile's key store. */
  readonly keysBytes: number;
  readonly testServerBytes: number;
  readonly kafkaBytes: number;
  readonly postgresRowBytes: number;
  readonly postgresIndexBytes: number;
  /** In a process that searches: the columns that it holds of each memory; and all that 500 questions left, terms and what is cached too. */
  readonly indexBytes: number;
  readonly indexWithTermsBytes: number;
  /** In Redis, for each entry that 500 questions left, which then goes by itself. */
  readonly redisEntries: number;
  readonly redisEntryBytes: number;
  readonly verifySeconds: number;
  readonly relaySeconds: number;
  readonly rebuildSeconds: number;
  readonly loadIndexSeconds: number;
  readonly load: number;
}

/** What grows with the ledger: one whose memories are all new, a sentence or two each, in 16 banks, over the engines. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-growth-'));
  // The files of a Kafka that was given may be anywhere.
  const given = process.env.HINDSIGHT_LEDGER_TEST_KAFKA;
  delete process.env.HINDSIGHT_LEDGER_TEST_KAFKA;
  const results: Grown[] = [];
  await withEngines(['postgres', 'redis', 'kafka'], async ({ kafka }) => {
    const home = await manyBanksHome(banks);
    const copy = await eventStoreCopy(home.embedded.ledger, join(folder, 'events'));
    try {
      let written = 0;
      for (const size of options.full ? fullSizes : sizes) {
        await home.fill(size - written);
        written = size;
        await copy.bring();
        const grown = await measure(home, copy, join(kafka!.folder, 'data'));
        results.push(grown);
        if (!options.json) report(grown);
      }
    } finally {
      await copy.kill();
      await home.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
  if (given !== undefined) process.env.HINDSIGHT_LEDGER_TEST_KAFKA = given;
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measure(home: ManyBanksHome, copy: EventStoreCopy, kafkaFiles: string): Promise<Grown> {
  const { paths } = home.embedded;
  const ledger = await copy.open();
  const { events: eventBytes, beside, count: events } = copy.bytes();
  const { seconds: verifySeconds } = await timed(async () => {
    const { firstFault } = await verifyLedger(ledger);
    if (firstFault) throw new Error(firstFault.what);
  });
  const relay = await relayed(ledger, engine('kafka'), partitions);
  const inKafka = bytesOfLogs(kafkaFiles, `hl.${relay.ledger}.events-`);
  const views = await inViews(home, ledger, events);
  await ledger.close();
  return {
    events,
    ownBytes: (eventBytes + beside) / events,
    sqliteBytes: bytesOf(paths.ledger, `${paths.ledger}-wal`) / events,
    keysBytes: bytesOf(paths.keys, `${paths.keys}-wal`) / events,
    testServerBytes: bytesOf(copy.file) / events,
    kafkaBytes: inKafka / events,
    ...views,
    verifySeconds,
    relaySeconds: relay.seconds,
    load: loadavg()[0]!,
  };
}

/** Into an empty database, as when the views were lost; then searched. */
async function inViews(home: ManyBanksHome, ledger: Ledger, events: number) {
  const database = await freshDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  const shared = { ledger: ledger.id, shapes: allProjections, partitions, log: silent };
  const views = await openPostgresViews(database.url, { ...shared, role: 'projector' });
  try {
    const rebuild = await timed(() => rebuilt(home, ledger, views));
    const { rows, indexes } = await bytesInUse(client);
    const searched = await search(home, views, events);
    return {
      rebuildSeconds: rebuild.seconds,
      postgresRowBytes: rows / events,
      postgresIndexBytes: indexes / events,
      ...searched,
    };
  } finally {
    await views.close();
    await client.end();
    await database.drop();
  }
}

/** The projector of the distributed profile, to which the feed brings nothing: it reads the ledger. */
async function rebuilt({ embedded: { vault } }: ManyBanksHome, ledger: Ledger, views: Views): Promise<void> {
  const { feed } = createMemoryFeed(partitions);
  const projector = createFedProjector({ ledger, vault, views, feed, log: silent });
  const stopping = new AbortController();
  const running = projector.run(stopping.signal);
  const head = (await ledger.head())!;
  const isThere = async () =>
    projector.status().every(({ state }) => state === 'projecting') &&
    (await views.generations()).every(({ position }) => (position ?? '') >= head);
  while (!(await isThere())) await sleep(20);
  stopping.abort();
  await running;
  await feed.close();
}

async function search(home: ManyBanksHome, views: Views, events: number) {
  const { vault, sources, commands, caller, ledger } = home.embedded;
  const ids = await Promise.all(Array.from({ length: banks }, (_, bank) => commands.bankNamed(`bench ${bank}`)));
  const indexes = ids.map((id) => emptyBankIndex(id, vault));
  const load = await timed(async () => {
    for (const index of indexes) await index.refresh(views.reader());
  });
  const columns = indexes.flatMap((index) => Object.values(index.columns)).filter((each) => ArrayBuffer.isView(each));
  const indexBytes = columns.reduce((sum, { byteLength }) => sum + byteLength, 0) / events;
  const redis = new Redis(engine('redis'));
  const usedBefore = await usedBy(redis);
  const store = openHotStore(engine('redis'));
  const { knownBankKeys } = vault;
  const hot = openHotViews({ store, vault: { knownBankKeys }, ledgerId: ledger.id, random: sources.random });
  const queries = createQueries({
    ledger,
    vault,
    sources,
    reader: (stamp) => hot.reader(views.reader(), stamp),
    viewsStamp: () => views.stamp(),
    catchUp: async () => undefined,
    recordRecall: async () => undefined,
    recordAudit: async () => undefined,
    recallMode: 'relaxed',
    answers: hot.answers,
    projection: async () => ({ lagEvents: 0, setAside: 0, generation: 1 }),
    storeSizes: async () => ({}),
    onRecordingFailed: () => undefined,
  });
  const beforeQuestions = memoryInUse();
  const text = sentences(events + 1);
  for (let asked = 0; asked < questions; asked++)
    await queries.search({ query: text.question() }, { ...caller('bench'), bank: ids[asked % banks]! });
  const indexWithTermsBytes = ((memoryInUse() - beforeQuestions) * 1e6) / events;
  await sleep(200);
  const used = await usedBy(redis);
  await store.close();
  redis.disconnect();
  const redisEntries = used.entries - usedBefore.entries;
  return {
    indexBytes,
    indexWithTermsBytes,
    loadIndexSeconds: load.seconds,
    redisEntries,
    redisEntryBytes: (used.bytes - usedBefore.bytes) / redisEntries,
  };
}

async function usedBy(redis: Redis): Promise<{ bytes: number; entries: number }> {
  const bytes = Number(/^used_memory_dataset:(\d+)/m.exec(await redis.info('memory'))?.[1]);
  return { bytes, entries: await redis.dbsize() };
}

/** What is written in the logs of a topic's partitions; their indexes are files made large beforehand. */
function bytesOfLogs(folder: string, topic: string): number {
  const partitionsOf = readdirSync(folder).filter((name) => name.startsWith(topic));
  return partitionsOf
    .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((file) => file.endsWith('.log'))
    .reduce((sum, file) => sum + bytesOf(file), 0);
}

function bytesOf(...files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

async function timed(work: () => Promise<unknown>): Promise<{ seconds: number }> {
  const began = performance.now();
  await work();
  return { seconds: (performance.now() - began) / 1000 };
}

function report(grown: Grown): void {
  const { events, load } = grown;
  const bytes = (of: number) => of.toFixed(0);
  const took = (seconds: number) => `${seconds.toFixed(1)} s (${(events / seconds).toFixed(0)}/s)`;
  process.stdout.write(
    `${events} events in ${banks} banks; load ${load.toFixed(1)}\n` +
      `  bytes an event: itself ${bytes(grown.ownBytes)}; SQLite ${bytes(grown.sqliteBytes)}, its keys ${bytes(grown.keysBytes)}; test server's file ${bytes(grown.testServerBytes)}; Kafka ${bytes(grown.kafkaBytes)}; ` +
      `PostgreSQL ${bytes(grown.postgresRowBytes)} of rows, ${bytes(grown.postgresIndexBytes)} of indexes\n` +
      `  a process that searches: ${bytes(grown.indexBytes)} bytes a memory of columns, ${bytes(grown.indexWithTermsBytes)} of all that ${questions} questions left, columns loaded in ${took(grown.loadIndexSeconds)}; ` +
      `Redis: ${grown.redisEntries} entries of ${bytes(grown.redisEntryBytes)} bytes\n` +
      `  verify ${took(grown.verifySeconds)}; relay from zero ${took(grown.relaySeconds)}; views from zero ${took(grown.rebuildSeconds)}\n`,
  );
}

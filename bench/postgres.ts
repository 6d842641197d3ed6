import { loadavg } from 'node:os';
import pg from 'pg';
import type { Position, StoredEvent } from '#ledger/ledger.js';
import { createFedProjector } from '#projector/fed/create-fed-projector.js';
import { createWaitingProjector } from '#projector/fed/create-waiting-projector.js';
import type { FedEvent, Watermark } from '#projector/feed/feed.js';
import { createMemoryFeed, type MemoryFeed } from '#projector/feed/test-support/memory-feed.js';
import { countedTime } from '#projector/fold/system-times.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { freshDatabase } from '#test/engines/engines.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { type ManyBanksHome, manyBanksHome } from './load/many-banks-home.js';
import { bytesInUse, plainCopySeconds, tablesInUse } from './load/plain-copy.js';
import { withEngines } from './load/with-engines.js';

const partitions = 8;
/** Events that the relay publishes at once: each partition gets its share of them. */
const flush = 500;
const silent = plainLog('silent', () => undefined);

interface Rate {
  readonly perSecond: number;
  /** The plain client that is handed the rows, in as many transactions. */
  readonly plainPerSecond: number;
  /** Processor time of this process per memory, in microseconds. */
  readonly cpuMicroseconds: number;
  readonly bytes: Bytes;
}

/** Per memory. */
interface Bytes {
  readonly rows: number;
  readonly indexes: number;
}

interface Measured {
  readonly memories: number;
  readonly banks: number;
  readonly live: Rate;
  readonly rebuilt: Rate;
  readonly residentMb: number;
  readonly load: number;
}

/** Events in, rows of PostgreSQL out: live, as the feed brings them, and in a rebuild. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const results: Measured[] = [];
  await withEngines(['postgres'], async () => {
    for (const banks of options.full ? [16, 1] : [16])
      for (const memories of options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000]) {
        const home = await manyBanksHome(banks);
        const measured = await measure(home, memories, banks).finally(home.remove);
        results.push(measured);
        if (!options.json) report(measured);
      }
  });
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measure(home: ManyBanksHome, memories: number, banks: number): Promise<Measured> {
  const { ledger, vault } = home.embedded;
  const database = await freshDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  const views = await openPostgresViews(database.url, {
    ledger: ledger.id,
    shapes: allProjections,
    partitions,
    role: 'projector',
    log: silent,
  });
  try {
    const live = await projectLive(home, views, memories);
    const [rows, turns] = [await tablesInUse(client), Math.ceil(memories / flush)];
    const liveBytes = await bytesOf(client, memories);
    const plainLive = await plainCopySeconds(client, rows, turns);
    const cpu = process.cpuUsage();
    const { seconds } = await createWaitingProjector({ ledger, vault, views, log: silent }).replay();
    const rebuild = { seconds, cpuMicroseconds: microsecondsSince(cpu) / memories };
    const residentMb = process.memoryUsage().rss / 1e6;
    const rebuiltBytes = await bytesOf(client, memories);
    const plainRebuild = await plainCopySeconds(client, await tablesInUse(client), 1);
    return {
      memories,
      banks,
      live: {
        perSecond: memories / live.seconds,
        plainPerSecond: memories / plainLive,
        cpuMicroseconds: live.cpuMicroseconds,
        bytes: liveBytes,
      },
      rebuilt: {
        perSecond: memories / rebuild.seconds,
        plainPerSecond: memories / plainRebuild,
        cpuMicroseconds: rebuild.cpuMicroseconds,
        bytes: rebuiltBytes,
      },
      residentMb,
      load: loadavg()[0]!,
    };
  } finally {
    await views.close();
    await client.end();
    await database.drop();
  }
}

/** The projector of the distributed profile, given what a relay would publish as fast as it takes it. */
async function projectLive(
  home: ManyBanksHome,
  views: Awaited<ReturnType<typeof openPostgresViews>>,
  memories: number,
): Promise<{ seconds: number; cpuMicroseconds: number }> {
  const { ledger, vault } = home.embedded;
  const feed = createMemoryFeed(partitions);
  const stopping = new AbortController();
  const awaited = memories * allProjections.length;
  let visible = 0;
  let allVisible = () => {};
  const done = new Promise<void>((resolve) => {
    allVisible = resolve;
  });
  const onVisible = () => {
    if (++visible === awaited) allVisible();
  };
  const projector = createFedProjector(
    { ledger, vault, views, feed: feed.feed, log: silent, onVisible },
    { stallAfter: Number.MAX_SAFE_INTEGER },
  );
  const running = projector.run(stopping.signal);
  // What makes the banks is read from the ledger, as by every projector that is new.
  const from = (await ledger.head())!;
  while (projector.status().some(({ state }) => state !== 'projecting'))
    await new Promise((turn) => setTimeout(turn, 20));
  await home.fill(memories);
  const flushes = await flushesOf(home, from);
  const cpu = process.cpuUsage();
  const began = performance.now();
  await publishAll(feed, flushes, { position: from, systemTime: '' });
  await done;
  const seconds = (performance.now() - began) / 1000;
  const cpuMicroseconds = microsecondsSince(cpu) / memories;
  stopping.abort();
  await running;
  await feed.feed.close();
  return { seconds, cpuMicroseconds };
}

async function flushesOf({ embedded: { ledger } }: ManyBanksHome, after: Position): Promise<FedEvent[][]> {
  const flushes: FedEvent[][] = [];
  let systemTime = '';
  for await (const event of ledger.readAll({ after }) as AsyncIterable<StoredEvent>) {
    const time = countedTime(event);
    if (time !== undefined && time > systemTime) systemTime = time;
    const last = flushes.at(-1);
    if (last && last.length < flush) last.push({ event, systemTime });
    else flushes.push([{ event, systemTime }]);
  }
  return flushes;
}

async function publishAll(feed: MemoryFeed, flushes: readonly FedEvent[][], from: Watermark): Promise<void> {
  const publisher = await feed.openPublisher();
  let after = from;
  for (const events of flushes) {
    const { event, systemTime } = events.at(-1)!;
    const to = { position: event.position, systemTime };
    await publisher.publish(events, after, to);
    after = to;
  }
  await publisher.close();
}

async function bytesOf(client: pg.Client, memories: number): Promise<Bytes> {
  const { rows, indexes } = await bytesInUse(client);
  return { rows: rows / memories, indexes: indexes / memories };
}

function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function report({ memories, banks, live, rebuilt, residentMb, load }: Measured): void {
  const line = (what: string, { perSecond, plainPerSecond, cpuMicroseconds, bytes }: Rate) =>
    `  ${what} ${perSecond.toFixed(0)} memories/s, ${((100 * perSecond) / plainPerSecond).toFixed(0)}% of the plain client with the rows (${plainPerSecond.toFixed(0)}/s); ` +
    `${cpuMicroseconds.toFixed(0)} µs of this process's processor each; ${bytes.rows.toFixed(0)} bytes of rows and ${bytes.indexes.toFixed(0)} of indexes each\n`;
  process.stdout.write(
    `${memories} memories in ${banks} bank${banks === 1 ? '' : 's'}; ${residentMb.toFixed(0)} MB; load ${load.toFixed(1)}\n${line('live   ', live)}${line('rebuilt', rebuilt)}`,
  );
}

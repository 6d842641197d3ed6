import { percentiles } from './load/percentiles.js';
import { bankHashes, heldBanks, partitionShares, questionsOf, shares, spread, waits } from './load/plan-model.js';

/**
 * The simulation behind docs/scale.md: a million banks share 10 billion memories; how evenly do they fall into partitions, how long does a
 * write wait for a projector, how long does a rebuild take, what do processes that search hold, and how many disks is all of it.
 * What was measured stands in docs/scale.md with where it comes from; here it is put in.
 */
const given = {
  banks: 1_000_000,
  memories: 10_000_000_000,
  /**
   * Of Zipf's law. .94 is what the sizes of firms follow (Axtell 2001: 1.06 for the distribution, which is 1/1.06 by rank): banks of
   * companies. People's are more alike: .6. With 1 and more the largest bank alone has what no bank here can be.
   */
  exponents: [0.6, 0.8, 0.94],
  exponent: 0.8,
  /** A second: ten billion in two years are 158 on average; the busiest minute has twenty times as many. */
  writes: 3_200,
  /** Memories a second that a projector process commits, live and in a rebuild. */
  live: 2_400,
  rebuild: 1_500,
  /** Memories a second that a query process reads into a bank's columns when it is asked of it first. */
  loaded: 120_000,
  /** Bytes of a memory: the event with its hash, its message in Kafka, its rows and indexes in PostgreSQL, its columns in a query process. */
  bytes: { event: 879, message: 1_218, rows: 2_416, indexes: 1_496, columns: 165 },
  /** Each engine's own copies, days that Kafka keeps, bytes that a disk is to be filled to. */
  copies: { eventStore: 3, kafka: 3, postgres: 2 },
  kafkaDays: 1,
  disk: 4e12 * 0.7,
  /** Banks that a query process holds, as the release has it, and as many as would fit. */
  held: [16, 1_000],
};

const questions = 400_000;

export default async function run({ json = false }: { json?: boolean }): Promise<void> {
  const hashes = bankHashes(given.banks);
  const skew = given.exponents.map((exponent) => skewOf(exponent, hashes));
  const all = shares(given.banks, given.exponent);
  const loads = partitionShares(all, hashes, 256);
  const lag = [1.2, 1.5, 2, 4].map((room) => lagOf(loads, Math.ceil((given.writes / given.live) * room)));
  const rebuild = [8, 32, 128].map((projectors) => ({
    projectors,
    hours: given.memories / (given.rebuild * projectors) / 3600,
  }));
  const held = heldOf(all, hashes);
  const disks = disksOf();
  if (json) return console.log(JSON.stringify({ given, skew, lag, rebuild, held, disks }));
  console.log(
    `given: ${given.banks} banks, ${given.memories} memories; ${given.writes} writes/s at the busiest; a projector ${given.live}/s live and ${given.rebuild}/s in rebuild`,
  );
  for (const each of skew)
    console.log(
      `Zipf ${each.exponent}: the largest bank has ${millions(each.largest)} million memories (${gigabytes(each.largest * given.bytes.columns)} GB of columns, ${each.largestWrites.toFixed(0)} writes/s); ` +
        `${each.above1M} banks above 1 million; the median bank ${each.median}; the heaviest of ${each.partitions.map(({ partitions, heaviest }) => `${partitions} partitions ${heaviest.toFixed(1)}`).join(', of ')} times the mean`,
    );
  console.log(`from here on Zipf ${given.exponent}, 256 partitions`);
  for (const { projectors, busiest, p50, p99 } of lag)
    console.log(
      `${String(projectors).padStart(4)} projectors: the busiest is busy ${(busiest * 100).toFixed(0)}% of the time; a write waits there p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    );
  for (const each of rebuild)
    console.log(`${String(each.projectors).padStart(4)} projectors rebuild all views in ${each.hours.toFixed(1)} h`);
  for (const { way, processes, held: banks, hits, read, most } of held)
    console.log(
      `${String(processes).padStart(4)} query processes of ${banks} banks each, ${way}: ${(hits * 100).toFixed(0)}% of questions find their bank in memory, the others read ${(read / 1000).toFixed(0)} thousand memories first (${(read / given.loaded).toFixed(1)} s); one process holds at most ${gigabytes(most * given.bytes.columns)} GB of columns`,
    );
  for (const { engine, terabytes, disks: count } of disks)
    console.log(`${engine}: ${terabytes.toFixed(1)} TB with its copies, ${count} disks of 4 TB filled to 70%`);
}

function skewOf(exponent: number, hashes: Uint32Array) {
  const all = shares(given.banks, exponent);
  const sizes = (rank: number) => Math.round(all[rank]! * given.memories);
  return {
    exponent,
    largest: sizes(0),
    largestWrites: all[0]! * given.writes,
    above1M: all.findIndex((share) => share * given.memories < 1e6),
    median: sizes(given.banks / 2),
    partitions: [64, 256, 1024].map((partitions) => ({
      partitions,
      heaviest: partitionShares(all, hashes, partitions)[0]! * partitions,
    })),
  };
}

function lagOf(loads: Float64Array, projectors: number) {
  const busy = (mine: readonly number[]) => (mine.reduce((sum, share) => sum + share, 0) * given.writes) / given.live;
  const all = spread(loads, projectors);
  const worst = all.reduce((one, other) => (busy(other) > busy(one) ? other : one));
  const { p50, p99 } = percentiles(waits({ shares: worst, writes: given.writes, perSecond: given.live }, 7));
  return { projectors, busiest: busy(worst), p50, p99 };
}

function heldOf(all: Float64Array, hashes: Uint32Array) {
  const asked = questionsOf(all, questions, 11);
  const sizes = (rank: number) => all[rank]! * given.memories;
  return given.held.flatMap((held) =>
    [16, 64].flatMap((processes) => {
      const ways = {
        'each question to any': (_: number, question: number) => question % processes,
        'a bank to one': (rank: number) => hashes[rank]! % processes,
      };
      return Object.entries(ways).map(([way, route]) => ({
        way,
        processes,
        held,
        ...heldBanks(asked, sizes, held, route),
      }));
    }),
  );
}

function disksOf() {
  const { bytes, copies, kafkaDays, memories } = given;
  const perDay = (memories / (2 * 365)) * bytes.message;
  const engines = {
    EventStoreDB: memories * bytes.event * copies.eventStore,
    Kafka: perDay * kafkaDays * copies.kafka,
    'PostgreSQL, views': memories * (bytes.rows + bytes.indexes) * copies.postgres,
  };
  return Object.entries(engines).map(([engine, total]) => ({
    engine,
    terabytes: total / 1e12,
    disks: Math.ceil(total / given.disk),
  }));
}

const millions = (count: number) => (count / 1e6).toFixed(1);
const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);

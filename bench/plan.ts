import { partitionOf } from '#views/partition.js';
import { percentiles } from './load/percentiles.js';
import { poisson, seeded } from './load/random.js';

/**
 * The simulation behind docs/scale.md: a million banks whose sizes follow Zipf's law share 10 billion memories; how evenly do they fall
 * into partitions, how far do projectors lag at a rate of writes, and how long does a rebuild take. What it is given about one
 * projector was measured, and is printed with what follows from it.
 */
const given = {
  banks: 1_000_000,
  memories: 10_000_000_000,
  /** Exponent of Zipf's law: 1 is a heavy tail. */
  zipf: 0.9,
  /** A second, over all banks. */
  writes: 20_000,
  /** Memories a second that one projector on one core commits, live and in a rebuild: docs/scale.md has what was measured. */
  live: 1_500,
  rebuild: 5_000,
};

/** A bank's share of all memories and of all writes, largest first. */
function shares(banks: number, exponent: number): Float64Array {
  const weights = Float64Array.from({ length: banks }, (_, rank) => (rank + 1) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function load(partitions: number, all: Float64Array): Float64Array {
  const loads = new Float64Array(partitions);
  all.forEach((share, rank) => {
    const partition = partitionOf(`b${rank}`, partitions);
    loads[partition] = loads[partition]! + share;
  });
  return loads.sort().reverse();
}

/**
 * Seconds from append to visible over ten minutes, in steps of 20 ms: each partition's writes come as a Poisson process and wait in line;
 * each projector serves its partitions in turn at its rate.
 */
function lag(loads: Float64Array, projectors: number, perSecond: number): number[] {
  const step = 0.02;
  const random = seeded(7);
  const waiting = new Float64Array(loads.length);
  const lags: number[] = [];
  const served = Array.from({ length: projectors }, (_, projector) =>
    [...loads.keys()].filter((partition) => partition % projectors === projector),
  );
  for (let at = 0; at < 600; at += step) {
    for (const [partition, share] of loads.entries())
      waiting[partition] = waiting[partition]! + poisson(share * given.writes * step, random);
    for (const mine of served) {
      let capacity = perSecond * step;
      const total = mine.reduce((sum, partition) => sum + waiting[partition]!, 0);
      for (const partition of mine) {
        const done = Math.min(waiting[partition]!, total ? (capacity * waiting[partition]!) / total : 0);
        waiting[partition] = waiting[partition]! - done;
      }
      capacity = 0;
      lags.push(mine.reduce((sum, partition) => sum + waiting[partition]!, 0) / perSecond + step);
    }
  }
  return lags;
}

export default async function run({ json = false }: { json?: boolean }): Promise<void> {
  const all = shares(given.banks, given.zipf);
  const rows = [64, 256, 1024].map((partitions) => {
    const loads = load(partitions, all);
    const mean = 1 / partitions;
    return {
      partitions,
      heaviest: loads[0]! / mean,
      /** The projector that has the heaviest partition alone must keep up with it. */
      mostWritesPerSecond: Math.floor(given.live / loads[0]!),
    };
  });
  const partitions = 1024;
  const lags = [1.2, 1.5, 2].map((room) => {
    const projectors = Math.ceil((given.writes / given.live) * room);
    return {
      projectors,
      ...percentiles(lag(load(partitions, all), projectors, given.live).map((seconds) => seconds * 1000)),
    };
  });
  const rebuild = [16, 64, 256].map((projectors) => ({
    projectors,
    hours: given.memories / (given.rebuild * projectors) / 3600,
  }));

  if (json) console.log(JSON.stringify({ given, largestBank: all[0]! * given.memories, rows, lags, rebuild }));
  else {
    console.log(
      `given: ${given.banks} banks, ${given.memories} memories, Zipf ${given.zipf}, ${given.writes} writes/s; one projector ${given.live}/s live, ${given.rebuild}/s in rebuild`,
    );
    console.log(
      `largest bank: ${Math.round(all[0]! * given.memories)} memories, ${(all[0]! * given.writes).toFixed(0)} writes/s`,
    );
    for (const row of rows)
      console.log(
        `${String(row.partitions).padStart(5)} partitions: the heaviest has ${row.heaviest.toFixed(1)} times the mean; one projector on it keeps up until ${row.mostWritesPerSecond} writes/s in all`,
      );
    for (const row of lags)
      console.log(
        `${String(row.projectors).padStart(5)} projectors on ${partitions} partitions: append to visible p50 ${row.p50.toFixed(0)}, p95 ${row.p95.toFixed(0)}, p99 ${row.p99.toFixed(0)} ms`,
      );
    for (const row of rebuild)
      console.log(`${String(row.projectors).padStart(5)} projectors rebuild all views in ${row.hours.toFixed(1)} h`);
  }
}

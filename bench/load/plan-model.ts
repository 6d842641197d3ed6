import { createHash } from 'node:crypto';
import { poisson, seeded } from './random.js';

/** Each bank's share of all memories and of all writes and questions, largest first: Zipf's law, rank to the power of -exponent. */
export function shares(banks: number, exponent: number): Float64Array {
  const weights = Float64Array.from({ length: banks }, (_, rank) => (rank + 1) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** What #views/partition.js makes a partition of, for the banks `b0`, `b1`, …: made once for any number of partitions. */
export function bankHashes(banks: number): Uint32Array {
  return Uint32Array.from({ length: banks }, (_, rank) =>
    createHash('sha256').update(`b${rank}`).digest().readUInt32BE(0),
  );
}

/** Each partition's share of the writes, largest first. */
export function partitionShares(all: Float64Array, hashes: Uint32Array, partitions: number): Float64Array {
  const loads = new Float64Array(partitions);
  all.forEach((share, rank) => {
    loads[hashes[rank]! % partitions]! += share;
  });
  return loads.sort().reverse();
}

export interface Line {
  /** Shares of the writes that the partitions of the process have. */
  readonly shares: readonly number[];
  /** Writes a second over all. */
  readonly writes: number;
  /** What the process applies a second. */
  readonly perSecond: number;
}

/**
 * Milliseconds that a write waits for a projector: its partitions' writes come by chance (Poisson), and what waits is served at the
 * process's rate. Ten minutes in steps of 20 ms; one figure for each step.
 */
export function waits({ shares: mine, writes, perSecond }: Line, seed: number, seconds = 600): number[] {
  const step = 0.02;
  const random = seeded(seed);
  const mean = mine.reduce((sum, share) => sum + share, 0) * writes * step;
  const found: number[] = [];
  let waiting = 0;
  for (let at = 0; at < seconds; at += step) {
    waiting += poisson(mean, random);
    found.push((1000 * waiting) / perSecond);
    waiting = Math.max(0, waiting - perSecond * step);
  }
  return found;
}

/** Partitions over processes, each to the one that has least: what a fair assignment comes to at best. */
export function spread(loads: Float64Array, processes: number): number[][] {
  const places = Array.from({ length: processes }, () => ({ shares: [] as number[], sum: 0 }));
  for (const share of loads) {
    const least = places.reduce((one, other) => (other.sum < one.sum ? other : one));
    least.shares.push(share);
    least.sum += share;
  }
  return places.map((place) => place.shares);
}

/** Ranks of the banks that questions are asked of, as their shares say. */
export function questionsOf(all: Float64Array, count: number, seed: number): Int32Array {
  const upTo = new Float64Array(all.length);
  let sum = 0;
  all.forEach((share, rank) => {
    sum += share;
    upTo[rank] = sum;
  });
  const random = seeded(seed);
  return Int32Array.from({ length: count }, () => {
    const wanted = random() * sum;
    let [low, high] = [0, all.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

export interface Held {
  /** Of the second half of the questions, those whose bank was in memory. */
  readonly hits: number;
  /** Memories that the others had to read first, in the mean. */
  readonly read: number;
  /** Memories of all banks that one process held, at most. */
  readonly most: number;
}

/** Query processes of which each holds the banks that it was asked of last. @param route which process a question goes to */
export function heldBanks(
  questions: Int32Array,
  sizes: (rank: number) => number,
  held: number,
  route: (rank: number, question: number) => number,
): Held {
  const processes = new Map<number, { banks: Map<number, number>; memories: number }>();
  let [hits, asked, read, most] = [0, 0, 0, 0];
  questions.forEach((rank, index) => {
    const at = route(rank, index);
    const process = processes.get(at) ?? { banks: new Map<number, number>(), memories: 0 };
    processes.set(at, process);
    const { banks } = process;
    if (index >= questions.length / 2) {
      asked++;
      if (banks.has(rank)) hits++;
      else read += sizes(rank);
    }
    if (!banks.delete(rank)) process.memories += sizes(rank);
    banks.set(rank, sizes(rank));
    if (banks.size > held) {
      const [oldest, memories] = banks.entries().next().value!;
      banks.delete(oldest);
      process.memories -= memories;
    }
    most = Math.max(most, process.memories);
  });
  return { hits: hits / asked, read: hits < asked ? read / (asked - hits) : 0, most };
}

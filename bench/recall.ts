import type { QueryPort } from '#contract/query-port.js';
import type { SearchInput } from '#contract/search.js';
import { memoryInUse } from './load/memory-in-use.js';
import { naiveBm25 } from './load/naive-bm25.js';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { type RecallHome, recallHome } from './load/recall-home.js';
import { recallTexts } from './load/recall-texts.js';

interface Measured {
  readonly memories: number;
  /** Seconds in which those that came since the last size were written and projected, and their vectors put. */
  readonly writing: number;
  readonly embedding: number;
  /** Milliseconds of the first search after opening the home, with all that it loads. */
  readonly first: number;
  readonly times: Readonly<Record<string, Percentiles>>;
  /** Milliseconds of processor a search, which other work on the machine changes little. */
  readonly processor: Readonly<Record<string, number>>;
  /** Legs that answered in a hundred searches, so that it is seen what was measured. */
  readonly legs: readonly string[];
  /** Searches a second by four clients. */
  readonly fourClientsRate: number;
  /** MB of objects and buffers that came with the first searches: postings, columns and vectors. */
  readonly indexMb: number;
  readonly inUseMb: number;
  readonly residentMb: number;
}

const usualQuestions = 1000;
const clients = 4;
const writes = 200;

/**
 * Search inside the process with all legs and ready-made vectors, so without the question's own embedding. Baselines in the same run: the
 * same without vectors, and a naive BM25 over the same texts.
 */
export default async function run(
  options: {
    json?: boolean;
    full?: boolean;
    /** Memories, by commas and ascending. */
    sizes?: string;
    /** Questions of each kind. */
    limit?: string;
  } = {},
): Promise<void> {
  const sizes = options.sizes?.split(',').map(Number) ?? (options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000]);
  const home = await recallHome();
  const results: Measured[] = [];
  try {
    for (const size of sizes) {
      const result = await measure(home, size, Number(options.limit ?? usualQuestions));
      results.push(result);
      if (!options.json) report(result);
    }
  } finally {
    await home.remove();
  }
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measure(home: RecallHome, memories: number, questions: number): Promise<Measured> {
  const half = await home.fill(memories / 2);
  const caller = home.embedded.caller('bench');
  const { basis } = await home.queries('all legs').search({ query: 'half' }, caller);
  const rest = await home.fill(memories);
  await home.reopen();
  const text = recallTexts(memories + 1);
  const before = memoryInUse();
  const all = home.queries('all legs');
  const ask = (queries: QueryPort, more: Partial<SearchInput> = {}) =>
    queries.search({ query: text.question(), ...more }, caller);
  const [first] = await timed(1, () => ask(all));
  const legs = await legsOf(() => ask(all, { explain: true, top_k: 20, min_score: 0 }));
  await timed(100, () => ask(all));
  const inUse = memoryInUse();
  const keywords = home.queries('without vectors');
  await timed(100, () => ask(keywords));
  const times: Record<string, number[]> = {};
  const processor: Record<string, number> = {};
  const measured = async (what: string, work: () => Promise<unknown>) => {
    const used = process.cpuUsage();
    times[what] = await timed(questions, work);
    const { user, system } = process.cpuUsage(used);
    processor[what] = (user + system) / 1000 / questions;
  };
  await measured('all legs', () => ask(all));
  await measured('without vectors', () => ask(keywords));
  times['at the basis of half the size'] = await timed(questions, () => ask(all, { basis }));
  times['of one session'] = await timed(questions, () => ask(all, { session_id: 's7' }));
  const same = Array.from({ length: 100 }, () => text.question());
  for (const query of same) await all.search({ query }, caller);
  let next = 0;
  times['the same question again'] = await timed(same.length, () => all.search({ query: same[next++]! }, caller));
  const began = performance.now();
  const together = await Promise.all(
    Array.from({ length: clients }, () => timed(Math.ceil(questions / clients), () => ask(all))),
  );
  const fourClientsRate = together.flat().length / ((performance.now() - began) / 1000);
  times['four clients at once'] = together.flat();
  times['each after a write'] = [];
  for (let at = 0; at < writes; at++) {
    await home.writeOne();
    times['each after a write'].push(...(await timed(1, () => ask(all))));
  }
  await home.embedded.commands.flush();
  const { rss } = process.memoryUsage();
  const naive = naiveBm25();
  for (const each of home.texts(memories)) naive.add(each);
  times['naive BM25'] = await timed(questions, async () => naive.search(text.question()));
  return {
    memories,
    writing: half.writing + rest.writing,
    embedding: half.embedding + rest.embedding,
    first: first!,
    times: Object.fromEntries(Object.entries(times).map(([what, each]) => [what, percentiles(each)])),
    processor,
    legs,
    fourClientsRate,
    indexMb: inUse - before,
    inUseMb: inUse,
    residentMb: rss / 1e6,
  };
}

async function legsOf(ask: () => ReturnType<QueryPort['search']>): Promise<string[]> {
  const legs = new Set<string>();
  for (let at = 0; at < 100; at++)
    for (const { explain } of (await ask()).items) for (const leg of Object.keys(explain?.legs ?? {})) legs.add(leg);
  return [...legs].sort();
}

async function timed(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

function report(measured: Measured): void {
  const { memories, writing, embedding, first, times, processor, legs, fourClientsRate, indexMb, inUseMb, residentMb } =
    measured;
  const lines = Object.entries(times).map(([what, each]) => {
    const used = processor[what] === undefined ? '' : `, ${processor[what].toFixed(2)} ms of processor each`;
    return `          ${what.padEnd(30)} ${inMilliseconds(each)}${used}\n`;
  });
  process.stdout.write(
    `${String(memories).padStart(7)} memories, written in ${writing.toFixed(1)} s, vectors put in ${embedding.toFixed(1)} s; legs that answered: ${legs.join(', ')}\n` +
      `          first search with loading ${first.toFixed(1)} ms; the index ${indexMb.toFixed(0)} MB, ${inUseMb.toFixed(0)} MB in use, ${residentMb.toFixed(0)} MB resident\n` +
      lines.join('') +
      `          four clients together ${fourClientsRate.toFixed(0)} searches/s\n`,
  );
}

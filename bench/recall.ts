import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import type { SearchInput } from '#contract/search.js';
import { type Embedded, openEmbedded } from '../services/cli/embedded/open-embedded.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { naiveBm25 } from './load/naive-bm25.js';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { sentences } from './load/sentences.js';

interface Measured {
  readonly memories: number;
  /** Milliseconds of the first search after opening the home, with all that it loads. */
  readonly first: number;
  readonly search: Percentiles;
  /** Each after a write of another memory. */
  readonly afterWrite: Percentiles;
  /** Of one session among a hundred. */
  readonly filtered: Percentiles;
  /** At a basis that was given out at half the size. */
  readonly asOf: Percentiles;
  readonly naive: Percentiles;
  readonly heapMb: number;
  readonly residentMb: number;
}

const questions = 1000;

/** Keyword search inside the process, with a naive one beside it over the same texts. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const results: Measured[] = [];
  const naive = naiveBm25();
  let filled = 0;
  for (const size of options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000]) {
    let embedded = await open(home);
    const half = await fill(embedded, naive, filled, size);
    filled = size;
    await embedded.close();
    embedded = await open(home);
    const result = await measure(embedded, naive, size, half);
    filled += result.written;
    results.push(result.measured);
    if (!options.json) report(result.measured);
    await embedded.close();
  }
  rmSync(home, { recursive: true, force: true });
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

function open(home: string): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home }, env: {} });
  return openEmbedded({ config, log: plainLog('silent', () => undefined) });
}

/** @returns a basis from when the last thousand memories were not there */
async function fill(
  embedded: Embedded,
  naive: ReturnType<typeof naiveBm25>,
  from: number,
  to: number,
): Promise<string> {
  const text = sentences(from + 7);
  const caller = embedded.caller('bench');
  let basis = '';
  for (let done = from; done < to; done += 500) {
    const contents = Array.from({ length: Math.min(500, to - done) }, () => text.next());
    for (const content of contents) naive.add(content);
    const items = contents.map((content, at) => ({ content, session_id: `s${(done + at) % 100}` }));
    const written = await embedded.commands.write({ items }, caller);
    if (done < to - 500) basis = written.basis ?? basis;
    await embedded.projector.catchUp();
  }
  return basis;
}

async function measure(
  embedded: Embedded,
  naive: ReturnType<typeof naiveBm25>,
  memories: number,
  basis: string,
): Promise<{ measured: Measured; written: number }> {
  const caller = embedded.caller('bench');
  const text = sentences(memories + 1);
  const search = (more: Partial<SearchInput> = {}) =>
    embedded.queries.search({ query: text.question(), ...more }, caller);
  const [first] = await timed(1, () => search());
  await timed(200, () => search());
  const plain = await timed(questions, () => search());
  const written = 200;
  const afterWrite: number[] = [];
  for (let at = 0; at < written; at++) {
    const content = text.next();
    naive.add(content);
    await embedded.commands.write({ content }, caller);
    await embedded.projector.catchUp();
    afterWrite.push(...(await timed(1, () => search())));
  }
  const filtered = await timed(questions, () => search({ session_id: 's7' }));
  const asOf = await timed(questions, () => search({ basis }));
  await embedded.commands.flush();
  const naiveTimes = await timed(questions, async () => naive.search(text.question()));
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return {
    written,
    measured: {
      memories,
      first: first!,
      search: percentiles(plain),
      afterWrite: percentiles(afterWrite),
      filtered: percentiles(filtered),
      asOf: percentiles(asOf),
      naive: percentiles(naiveTimes),
      heapMb: (heapUsed + arrayBuffers) / 2 ** 20,
      residentMb: rss / 2 ** 20,
    },
  };
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
  const line = (name: string, times: Percentiles) => `          ${name.padEnd(22)} ${inMilliseconds(times)}\n`;
  process.stdout.write(
    `${String(measured.memories).padStart(7)} memories; first search with loading ${measured.first.toFixed(1)} ms; the naive index in it, ${measured.heapMb.toFixed(0)} MB of heap and buffers, ${measured.residentMb.toFixed(0)} MB resident\n` +
      line('search', measured.search) +
      line('each after a write', measured.afterWrite) +
      line('of one session', measured.filtered) +
      line('at an earlier basis', measured.asOf) +
      line('naive BM25', measured.naive),
  );
}

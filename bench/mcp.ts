import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { sentences } from './load/sentences.js';
import { connect, type LoadClient } from './load/stdio-client.js';

interface Measured {
  readonly memories: number;
  readonly writesPerSecond: number;
  readonly write: Percentiles;
  readonly search: Percentiles;
  readonly memoryMb: number;
}

const build = join(import.meta.dirname, '..', '..');
const ours = (home: string) => connect(process.execPath, [join(build, 'bundle', 'main.js'), '--home', home]);
const plain = (home: string) =>
  connect(process.execPath, [join(build, 'build', 'bench', 'load', 'plain-server.js'), join(home, 'plain.db')]);

/** Written before anything is timed, and left out: code that is not compiled yet says how a process starts, and bench/start.ts measures that. */
const warmUp = 1000;
const writesTimed = 2000;
/** Long enough that projecting in the background is paid for: a burst of `writesTimed` ends before it begins (services/projector/background.ts). */
const writesSustained = 15_000;

/** One client over stdio, each write acknowledged before the next, beside the least that a durable memory can be. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const sizes = options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000];
  const results: { size: number; ours: Measured; plain: Measured }[] = [];
  const folders = [mkdtempSync(join(tmpdir(), 'hl-bench-')), mkdtempSync(join(tmpdir(), 'hl-bench-'))] as const;
  const [mine, theirs] = [await ours(folders[0]), await plain(folders[1])];
  await fillSingly(mine, warmUp);
  await fillSingly(theirs, warmUp);
  let filled = warmUp;
  for (const size of sizes) {
    await fill(mine, size - filled, filled);
    await fillSingly(theirs, size - filled, filled);
    filled = Math.max(filled, size);
    results.push({ size, ours: await measure(mine, size), plain: await measure(theirs, size) });
    filled += writesTimed;
    report(results.at(-1) as (typeof results)[number], options.json);
  }
  const sustained = { ours: await sustain(mine), plain: await sustain(theirs) };
  if (!options.json) {
    process.stdout.write(
      `sustained, ${writesSustained} writes without a pause: ours ${sustained.ours.toFixed(0)} writes/s, plain ${sustained.plain.toFixed(0)} writes/s\n`,
    );
  }
  await Promise.all([mine.close(), theirs.close()]);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  if (options.json) process.stdout.write(`${JSON.stringify({ results, sustained })}\n`);
}

async function fill(client: LoadClient, count: number, seed: number): Promise<void> {
  const text = sentences(seed + 7);
  for (let done = 0; done < count; done += 500) {
    await client.call('memory_write', {
      items: Array.from({ length: Math.min(500, count - done) }, () => ({ content: text.next() })),
    });
  }
}

async function fillSingly(client: LoadClient, count: number, seed = 0): Promise<void> {
  const text = sentences(seed + 7);
  for (let done = 0; done < count; done++) await client.call('memory_write', { content: text.next() });
}

async function measure(client: LoadClient, memories: number): Promise<Measured> {
  const text = sentences(memories + 1);
  await client.call('memory_search', { query: text.question() });
  const writes = await timed(writesTimed, () => client.call('memory_write', { content: text.next() }));
  await client.call('memory_search', { query: text.question() });
  const searches = await timed(500, () => client.call('memory_search', { query: text.question() }));
  const write = percentiles(writes);
  return {
    memories,
    writesPerSecond: 1000 / write.mean,
    write,
    search: percentiles(searches),
    memoryMb: client.memory().nowMb,
  };
}

/** Writes per second. */
async function sustain(client: LoadClient): Promise<number> {
  const text = sentences(11);
  return (
    1000 / percentiles(await timed(writesSustained, () => client.call('memory_write', { content: text.next() }))).mean
  );
}

async function timed(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

function report(result: { size: number; ours: Measured; plain: Measured }, json?: boolean): void {
  if (json) return;
  for (const [name, it] of [['ours', result.ours] as const, ['plain', result.plain] as const]) {
    process.stdout.write(
      `${String(result.size).padStart(7)} memories  ${name.padEnd(5)}  ${it.writesPerSecond.toFixed(0)} writes/s (${inMilliseconds(it.write)})` +
        `  search ${inMilliseconds(it.search)}  ${it.memoryMb.toFixed(0)} MB\n`,
    );
  }
  const { ours: mine, plain: theirs } = result;
  process.stdout.write(
    `        ratio ours/plain: writes/s ${(mine.writesPerSecond / theirs.writesPerSecond).toFixed(2)}, search p50 ${(mine.search.p50 / theirs.search.p50).toFixed(2)}\n`,
  );
}

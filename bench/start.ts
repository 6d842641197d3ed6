import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { sentences } from './load/sentences.js';
import { connect } from './load/stdio-client.js';

const entry = join(import.meta.dirname, '..', '..', 'bundle', 'main.js');

interface Started {
  readonly memories: number;
  /** Milliseconds from the start of the process to its first answer of a search. */
  readonly firstAnswer: Percentiles;
  /** Resident memory of the server at its peak, median over the starts. */
  readonly memoryMb: number;
}

/** From the start of the stdio server to its first answer, in homes that grow. */
export default async function run(options: { json?: boolean; full?: boolean; starts?: number } = {}): Promise<void> {
  const sizes = options.full ? [0, 1_000, 10_000, 100_000] : [0, 1_000, 10_000];
  const home = mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const results: Started[] = [];
  let filled = 0;
  for (const size of sizes) {
    await fill(home, size - filled, filled);
    filled = size;
    // Once unmeasured: it projects what the filling left, and fills the compile cache and the page cache.
    await start(home);
    const runs: Awaited<ReturnType<typeof start>>[] = [];
    for (let at = 0; at < (options.starts ?? 20); at++) runs.push(await start(home));
    const result = {
      memories: size,
      firstAnswer: percentiles(runs.map((each) => each.ms)),
      memoryMb: percentiles(runs.map((each) => each.peakMb)).p50,
    };
    results.push(result);
    if (!options.json)
      process.stdout.write(
        `${String(size).padStart(7)} memories  start to first answer ${inMilliseconds(result.firstAnswer)}  ${result.memoryMb.toFixed(0)} MB\n`,
      );
  }
  rmSync(home, { recursive: true, force: true });
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function fill(home: string, count: number, seed: number): Promise<void> {
  if (count === 0) return;
  const client = await connect(process.execPath, [entry, '--home', home]);
  const text = sentences(seed + 7);
  for (let done = 0; done < count; done += 500) {
    await client.call('memory_write', {
      items: Array.from({ length: Math.min(500, count - done) }, () => ({ content: text.next() })),
    });
  }
  await client.close();
}

async function start(home: string): Promise<{ ms: number; peakMb: number }> {
  const began = performance.now();
  const client = await connect(process.execPath, [entry, '--home', home]);
  await client.call('memory_search', { query: sentences(3).question() });
  const ms = performance.now() - began;
  const { peakMb } = client.memory();
  await client.close();
  return { ms, peakMb };
}

import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { type ProjectedHome, projectedHome } from './load/projected-home.js';
import { rawCopySeconds } from './load/raw-copy.js';

interface Measured {
  readonly memories: number;
  /** From an empty views file to the ledger's head: opening boxes, cutting terms and all. */
  readonly memoriesPerSecond: number;
  /** Processor time of this process per memory, in microseconds: what a loaded machine changes least. */
  readonly cpuMicroseconds: number;
  /** The bare driver, inserting the same rows. */
  readonly rawPerSecond: number;
  /** From the acknowledgement of a single write to its being visible, in milliseconds. */
  readonly visible: Percentiles;
  /** A look when nothing is new, in microseconds. */
  readonly idleMicroseconds: number;
  /** Reading what the index in memory is loaded from, in milliseconds. */
  readonly loadIndex: number;
  readonly residentMb: number;
}

/** Events in, rows out: how fast, beside the bare driver that is handed the rows. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const home = await projectedHome();
  const results: Measured[] = [];
  for (const size of options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000]) {
    await home.fill(size);
    const measured = await measure(home, size);
    results.push(measured);
    if (!options.json) report(measured);
  }
  await home.remove();
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measure(home: ProjectedHome, memories: number): Promise<Measured> {
  const { views, projector, path, close } = await home.openViews(`views-${memories}.db`);
  const cpu = process.cpuUsage();
  const began = performance.now();
  await projector.catchUp();
  const seconds = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpu);
  const residentMb = process.memoryUsage().rss / 1e6;

  const looks = 10_000;
  const idle = performance.now();
  for (let look = 0; look < looks; look++) await projector.catchUp();
  const idleMicroseconds = ((performance.now() - idle) / looks) * 1000;

  const reader = views.reader();
  const [bank] = await reader.banks();
  const loading = performance.now();
  await reader.docsFrom(bank?.bank ?? '', 0);
  await reader.spansChangedAfter(bank?.bank ?? '', 0);
  const loadIndex = performance.now() - loading;

  const samples: number[] = [];
  for (let write = 0; write < 500; write++) {
    await home.writeOne();
    const acknowledged = performance.now();
    await projector.catchUp();
    samples.push(performance.now() - acknowledged);
  }
  await close();
  return {
    memories,
    memoriesPerSecond: memories / seconds,
    cpuMicroseconds: (used.user + used.system) / memories,
    rawPerSecond: memories / rawCopySeconds(path),
    visible: percentiles(samples),
    idleMicroseconds,
    loadIndex,
    residentMb,
  };
}

function report(measured: Measured): void {
  const { memories, memoriesPerSecond, cpuMicroseconds, rawPerSecond, visible, idleMicroseconds, loadIndex } = measured;
  process.stdout.write(
    `${String(memories).padStart(7)} memories  ${memoriesPerSecond.toFixed(0)} memories/s (${cpuMicroseconds.toFixed(0)} µs of processor each), ` +
      `rows alone ${rawPerSecond.toFixed(0)}/s\n` +
      `${' '.repeat(18)}append to visible ${inMilliseconds(visible)}; a look when nothing is new ${idleMicroseconds.toFixed(1)} µs; ` +
      `index loaded in ${loadIndex.toFixed(0)} ms; ${measured.residentMb.toFixed(0)} MB\n`,
  );
}

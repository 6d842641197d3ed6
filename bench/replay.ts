import { projectedHome } from './load/projected-home.js';
import { rawCopySeconds } from './load/raw-copy.js';

interface Measured {
  readonly memories: number;
  readonly eventsPerSecond: number;
  /** Of `versions` alone, which opens nothing. */
  readonly versionsPerSecond: number;
  /** With every row compared with those of the generation in use. */
  readonly checkedSeconds: number;
  readonly seconds: number;
  readonly matches: boolean;
  /** The bare driver, inserting the same rows. */
  readonly rawPerSecond: number;
  readonly residentMb: number;
}

/** Rebuilding all views beside those in use, then switching. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const home = await projectedHome();
  const results: Measured[] = [];
  for (const memories of options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000]) {
    await home.fill(memories);
    const { projector, path, close } = await home.openViews(`views-${memories}.db`);
    await projector.catchUp();
    const plain = await projector.replay();
    const alone = await projector.replay({ projections: ['versions'] });
    const checked = await projector.replay({ check: true });
    await close();
    const measured = {
      memories,
      eventsPerSecond: plain.events / plain.seconds,
      versionsPerSecond: alone.events / alone.seconds,
      seconds: plain.seconds,
      checkedSeconds: checked.seconds,
      matches: checked.projections.every(({ matches }) => matches === true),
      rawPerSecond: memories / rawCopySeconds(path),
      residentMb: process.memoryUsage().rss / 1e6,
    };
    results.push(measured);
    if (!options.json) report(measured);
  }
  await home.remove();
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

function report({
  memories,
  eventsPerSecond,
  versionsPerSecond,
  seconds,
  checkedSeconds,
  matches,
  rawPerSecond,
  residentMb,
}: Measured) {
  process.stdout.write(
    `${String(memories).padStart(7)} memories  replayed in ${seconds.toFixed(2)} s, ${eventsPerSecond.toFixed(0)} events/s (rows alone ${rawPerSecond.toFixed(0)}/s), versions alone ${versionsPerSecond.toFixed(0)} events/s; ` +
      `with check ${checkedSeconds.toFixed(2)} s, ${matches ? 'every row equal' : 'ROWS DIFFER'}; ${residentMb.toFixed(0)} MB\n`,
  );
}

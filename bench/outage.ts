import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLoop } from './load/open-loop.js';
import { type RunningStack, runningStack } from './load/running-stack.js';
import { sentences } from './load/sentences.js';
import { type ViewsWatch, watchViews } from './load/watch-views.js';
import { withEngines } from './load/with-engines.js';

const perSecond = 200;
const away = { projector: 'the projector', kafka: 'Kafka' } as const;
type Away = keyof typeof away;
/** Seconds of outage: a minute, and with `--full` the ten that are asked for, of the projector. */
const seconds = 60;
const fullSeconds = 600;
const patience = 900;

interface Measured {
  readonly away: Away;
  readonly seconds: number;
  readonly perSecond: number;
  /** Writes while it was away, which went on, and those that failed. */
  readonly written: number;
  readonly failed: number;
  /** Seconds from its start, while writes go on, until all that had been written by then could be read; and a second of those. */
  readonly caughtUpAfter: number;
  readonly caughtUpPerSecond: number;
  /** Seconds from its start until the last write of this run could be read. */
  readonly atHeadAfter: number;
  readonly load: number;
}

/** Writes go on at a steady rate while something is away; then how long the views take to be where the ledger is. */
export default async function run(
  options: { json?: boolean; full?: boolean; rate?: string; seconds?: string } = {},
): Promise<void> {
  const rate = Number(options.rate ?? perSecond);
  const each = (what: Away) =>
    Number(options.seconds ?? (options.full && what === 'projector' ? fullSeconds : seconds));
  const results: Measured[] = [];
  // Kafka is the bench's own: it is taken away.
  const given = process.env.HINDSIGHT_LEDGER_TEST_KAFKA;
  delete process.env.HINDSIGHT_LEDGER_TEST_KAFKA;
  await withEngines(['postgres', 'redis', 'kafka'], async ({ kafka }) => {
    const running = await runningStack();
    const watch = await watchViews(running.stack.databases.viewsAdminUrl, 50);
    const [projector] = running.stack.of('projector');
    const ways = {
      projector: { take: () => projector!.kill(), bring: async () => projector!.start() },
      kafka: { take: () => kafka!.stop(), bring: () => kafka!.start() },
    };
    try {
      for (const what of ['projector', 'kafka'] as const) {
        const measured = await measure(running, watch, what, ways[what], rate, each(what));
        results.push(measured);
        if (!options.json) report(measured);
      }
    } finally {
      await watch.close();
      await running.close();
    }
  });
  if (given !== undefined) process.env.HINDSIGHT_LEDGER_TEST_KAFKA = given;
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measure(
  { overCommands, banks }: RunningStack,
  watch: ViewsWatch,
  what: Away,
  way: { take(): Promise<unknown>; bring(): Promise<unknown> },
  rate: number,
  length: number,
): Promise<Measured> {
  const text = sentences(Math.ceil(performance.now()));
  let seen: Promise<number>[] = [];
  const write = async (index: number) => {
    const { partition, at } = await overCommands(text.next(), index % banks);
    seen.push(watch.passed(partition, at));
  };
  await openLoop({ perSecond: rate, seconds: 5 }, write);
  await allOf(seen);
  await way.take();
  seen = [];
  const { sent, failed } = await openLoop({ perSecond: rate, seconds: length }, write);
  const missed = seen;
  seen = [];
  const isOver = new AbortController();
  const goingOn = (async () => {
    while (!isOver.signal.aborted) await openLoop({ perSecond: rate, seconds: 0.5 }, write);
  })();
  const began = performance.now();
  await way.bring();
  const caughtUp = ((await allOf(missed)) - began) / 1000;
  isOver.abort();
  await goingOn;
  const atHead = ((await allOf(seen)) - began) / 1000;
  return {
    away: what,
    seconds: length,
    perSecond: rate,
    written: sent - failed,
    failed,
    caughtUpAfter: caughtUp,
    caughtUpPerSecond: missed.length / caughtUp,
    atHeadAfter: atHead,
    load: loadavg()[0]!,
  };
}

/** When the last of them could be read. @throws Error when that takes too long */
async function allOf(seen: readonly Promise<number>[]): Promise<number> {
  const times = await Promise.race([Promise.all(seen), sleep(patience * 1000, undefined, { ref: false })]);
  if (!times) throw new Error(`what was written is not visible after ${patience} s`);
  return times.reduce((last, time) => Math.max(last, time), 0);
}

function report(measured: Measured): void {
  const { seconds, perSecond, written, failed, caughtUpAfter, caughtUpPerSecond, atHeadAfter, load } = measured;
  process.stdout.write(
    `${away[measured.away]} away for ${seconds} s at ${perSecond} writes/s: ${written} written, ${failed} failed; ` +
      `all of them readable ${caughtUpAfter.toFixed(1)} s after its start (${caughtUpPerSecond.toFixed(0)}/s, while writes went on), ` +
      `the last write ${atHeadAfter.toFixed(1)} s after it; load ${load.toFixed(1)}\n`,
  );
}

import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenLoop, openLoop } from './load/open-loop.js';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { processFigures } from './load/process-figures.js';
import { programOf, type RunningStack, runningStack, type Write } from './load/running-stack.js';
import { sentences } from './load/sentences.js';
import { type ViewsWatch, watchViews } from './load/watch-views.js';
import { withEngines } from './load/with-engines.js';

/** A second: what is asked for, and with `--full` what carries less and more. */
const asked = { commands: [500], mcp: [200] };
const more = { commands: [250, 500, 750], mcp: [100, 200, 300, 500] };
const defaultSeconds = 20;
/** Seconds at the same rate beforehand: for as long, processes that have just started still compile what they run. */
const warmUp = 30;
/** Seconds after which what is not visible is given up. */
const patience = 60;

interface Measured {
  readonly through: 'commands' | 'mcp';
  readonly perSecond: number;
  readonly seconds: number;
  /** What was acknowledged, a second. */
  readonly achieved: number;
  readonly failed: number;
  readonly neverSeen: number;
  /** From when it was due to be sent to its acknowledgement, and to its being visible. */
  readonly acknowledged: Percentiles;
  readonly visible: Percentiles;
  /** From its acknowledgement, which says that it is durable, to its being visible. */
  readonly appendToVisible: Percentiles;
  /** By the projector's own histogram: the share that was visible within 250 ms of being recorded, in the projection that is slowest. */
  readonly withinBar: number;
  /** Of a core each, and MB at the end. */
  readonly processes: Readonly<Record<string, { readonly cpu: number; readonly megabytes: number }>>;
  readonly load: number;
}

/**
 * The whole stack as real processes under a steady rate of writes: from a write's being due to its being visible in every projection, as
 * the checkpoints in PostgreSQL show it to somebody who looks every 5 ms.
 */
export default async function run(
  options: { json?: boolean; full?: boolean; rate?: string; seconds?: string } = {},
): Promise<void> {
  const seconds = Number(options.seconds ?? defaultSeconds);
  const rates = options.full ? more : asked;
  const results: Measured[] = [];
  await withEngines(['postgres', 'redis', 'kafka'], async () => {
    const running = await runningStack();
    const watch = await watchViews(running.stack.databases.viewsAdminUrl);
    try {
      for (const through of ['commands', 'mcp'] as const)
        for (const perSecond of options.rate ? [Number(options.rate)] : rates[through]) {
          const measured = await measure(running, watch, through, { perSecond, seconds });
          results.push(measured);
          if (!options.json) report(measured);
        }
    } finally {
      await watch.close();
      await running.close();
    }
  });
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measure(
  running: RunningStack,
  watch: ViewsWatch,
  through: Measured['through'],
  rate: OpenLoop,
): Promise<Measured> {
  const write = through === 'commands' ? running.overCommands : running.overMcp;
  await load(running, watch, write, { ...rate, seconds: warmUp });
  const before = { figures: processFigures(programOf), counts: await visibleCounts(running), at: performance.now() };
  const { sent, failed, acknowledged, visible, appendToVisible, neverSeen, ended } = await load(
    running,
    watch,
    write,
    rate,
  );
  const elapsed = (performance.now() - before.at) / 1000;
  const counts = await visibleCounts(running);
  return {
    through,
    ...rate,
    achieved: (sent - failed) / ended,
    failed,
    neverSeen,
    acknowledged: percentiles(acknowledged),
    visible: percentiles(visible),
    appendToVisible: percentiles(appendToVisible),
    withinBar: shareWithin(before.counts, counts),
    processes: Object.fromEntries(
      [...processFigures(programOf)].map(([name, { cpuSeconds, megabytes }]) => [
        name,
        { cpu: (cpuSeconds - (before.figures.get(name)?.cpuSeconds ?? 0)) / elapsed, megabytes },
      ]),
    ),
    load: loadavg()[0]!,
  };
}

async function load({ banks }: RunningStack, watch: ViewsWatch, write: Write, rate: OpenLoop) {
  const text = sentences(Math.ceil(performance.now()));
  const acknowledged: number[] = [];
  const visible: number[] = [];
  const appendToVisible: number[] = [];
  const began = performance.now();
  let lastAnswer = began;
  const seen: Promise<void>[] = [];
  const { sent, failed, error } = await openLoop(rate, async (index, due) => {
    const { partition, at } = await write(text.next(), index % banks);
    const answered = performance.now();
    lastAnswer = answered;
    acknowledged.push(answered - due);
    seen.push(
      watch.passed(partition, at).then((now) => {
        visible.push(Math.max(now, answered) - due);
        appendToVisible.push(Math.max(0, now - answered));
      }),
    );
  });
  if (failed) process.stderr.write(`${failed} of ${sent} writes failed; the first: ${String(error)}\n`);
  await Promise.race([Promise.all(seen), sleep(patience * 1000, undefined, { ref: false })]);
  const neverSeen = watch.waiting;
  return { sent, failed, acknowledged, visible, appendToVisible, neverSeen, ended: (lastAnswer - began) / 1000 };
}

interface Counts {
  readonly all: number;
  readonly within: number;
}

/** What the projector has counted, by projection. */
async function visibleCounts({ stack }: RunningStack): Promise<Map<string, Counts>> {
  const [projector] = stack.of('projector');
  const text = await (await fetch(`${projector!.url}/metrics`)).text();
  const name = 'hindsight_ledger_visible_seconds';
  const counts = new Map<string, Counts>();
  for (const [, projection, count] of text.matchAll(
    new RegExp(`^${name}_count\\{projection="(\\w+)"\\} (\\d+)$`, 'gm'),
  )) {
    const bar = new RegExp(
      `^${name}_bucket\\{(?=[^}]*projection="${projection}")(?=[^}]*le="0.25")[^}]*\\} (\\d+)$`,
      'm',
    );
    counts.set(projection!, { all: Number(count), within: Number(bar.exec(text)?.[1] ?? 0) });
  }
  return counts;
}

function shareWithin(before: ReadonlyMap<string, Counts>, after: ReadonlyMap<string, Counts>): number {
  const shares = [...after].map(([projection, { all, within }]) => {
    const { all: had, within: hadWithin } = before.get(projection) ?? { all: 0, within: 0 };
    return (within - hadWithin) / (all - had);
  });
  return Math.min(...shares);
}

function report(measured: Measured): void {
  const { through, perSecond, seconds, achieved, failed, neverSeen, acknowledged, visible, appendToVisible } = measured;
  const way = through === 'commands' ? 'through the command port' : 'through MCP over HTTP';
  const processes = Object.entries(measured.processes).map(
    ([name, { cpu, megabytes }]) => `${name} ${(cpu * 100).toFixed(0)}% ${megabytes.toFixed(0)} MB`,
  );
  process.stdout.write(
    `${perSecond} writes/s ${way} for ${seconds} s: ${achieved.toFixed(0)}/s acknowledged, ${failed} failed, ${neverSeen} never seen; load ${measured.load.toFixed(1)}\n` +
      `  due → acknowledged      ${inMilliseconds(acknowledged)}\n` +
      `  due → visible           ${inMilliseconds(visible)}\n` +
      `  acknowledged → visible  ${inMilliseconds(appendToVisible)}\n` +
      `  recorded → visible within 250 ms, by the projector's own count: ${(measured.withinBar * 100).toFixed(2)}% in the slowest projection\n` +
      `  of a core, and memory: ${processes.join(' · ')}\n`,
  );
}

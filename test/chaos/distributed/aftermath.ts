import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Stack } from '#test/stack/start-stack.js';
import { onDatabase } from './chaos-stack.js';
import { type Load, type LoadOptions, startLoad } from './load.js';

export interface BadDay {
  readonly name: string;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  /** From when the fault was over until the last acknowledged write was found and no projection lagged. */
  readonly recoverySeconds: number;
  readonly errors: string;
}

const days: BadDay[] = [];

/** The table of bad days so far, for whoever reads the log of a run. */
export function printDays(): void {
  for (const { name, acknowledged, lost, doubled, recoverySeconds, errors } of days.splice(0))
    process.stdout.write(
      `${name.padEnd(52)} acknowledged ${String(acknowledged).padStart(5)}  lost ${lost}  doubled ${doubled}  recovered in ${recoverySeconds.toFixed(1)} s  ${errors}\n`,
    );
}

/**
 * Writers write, something bad happens and ends, and then everything must be as if it had not: no acknowledged write lost, none twice, no
 * lag, rows equal to those of a rebuild.
 * @param happens resolves when the fault is over; what it threw is a finding
 * @param options.readable false: the ledger holds what cannot be opened, and is asked through recall instead of exported
 */
export async function badDay(
  stack: Stack,
  token: string,
  name: string,
  happens: () => Promise<void>,
  options: Partial<LoadOptions> & { readonly check?: boolean; readonly readable?: boolean } = {},
): Promise<BadDay & { load: Load }> {
  const load = startLoad(stack, token, { name, ...options });
  await sleep(1_000);
  await happens();
  const over = Date.now();
  await sleep(1_000);
  await load.finish();
  await recovered(stack, token, load);
  const recoverySeconds = (Date.now() - over) / 1000;
  const { lost, doubled } =
    options.readable === false
      ? await inAnswers(stack, token, load.acknowledged)
      : await inTheLedger(stack, name, load.acknowledged);
  const errors = [...load.errors].map(([code, times]) => `${code} ${times}`).join(', ');
  const day = {
    name,
    acknowledged: load.acknowledged.size,
    lost: lost.length,
    doubled: doubled.length,
    recoverySeconds,
    errors,
  };
  days.push(day);
  expect(lost).toEqual([]);
  expect(doubled).toEqual([]);
  if (options.check ?? true) await expectSound(stack);
  return { ...day, load };
}

/** The last of the acknowledged writes is found through the query service, and no projection lags. */
export async function recovered(stack: Stack, token: string, load: Pick<Load, 'acknowledged'>): Promise<void> {
  const last = [...load.acknowledged].at(-1)!;
  const until = Date.now() + 120_000;
  for (let seen = ''; ; ) {
    try {
      const client = await stack.client(token);
      try {
        // Where few were written, all of them: what ranks first is not what is asked here.
        const found = await client.call('memory_search', { query: last, top_k: 20, min_score: 0 });
        const stats = await client.call('memory_stats', {});
        const items = (found.structured.items ?? []) as { content: string }[];
        const item = items.find(({ content }) => content === last) ?? items[0];
        const projection = stats.structured.projection as { lag_events: number } | undefined;
        if (item?.content === last && projection?.lag_events === 0) return;
        seen = `${found.isError ? found.text : JSON.stringify(item?.content)}; ${JSON.stringify(projection ?? stats.text)}`;
      } finally {
        await client.close();
      }
    } catch (error) {
      seen = String(error);
    }
    if (Date.now() > until) {
      for (const service of stack.services)
        process.stderr.write(
          `--- ${service.role}, ${JSON.stringify(await service.health())}\n${service.log().slice(-3_000)}\n`,
        );
    }
    if (Date.now() > until) throw new Error(`${JSON.stringify(last)} is not there two minutes later: ${seen}`);
    await sleep(100);
  }
}

async function inAnswers(stack: Stack, token: string, acknowledged: ReadonlySet<string>) {
  const client = await stack.client(token);
  const times = new Map<string, number>();
  for (const text of acknowledged) {
    const found = await client.call('memory_search', { query: text, top_k: 20, min_score: 0, include: ['superseded'] });
    const items = (found.structured.items ?? []) as { content: string; also?: readonly string[] }[];
    const same = items.filter(({ content }) => content === text);
    // A second memory with this text would stand behind the first: texts of which a number differs never do.
    times.set(
      text,
      same.reduce((sum, { also = [] }) => sum + 1 + also.length, 0),
    );
  }
  await client.close();
  return {
    lost: [...times].filter(([, count]) => count === 0).map(([text]) => text),
    doubled: [...times].filter(([, count]) => count > 1).map(([text]) => text),
  };
}

async function inTheLedger(stack: Stack, name: string, acknowledged: ReadonlySet<string>) {
  const exported = await stack.command(['export']);
  expect(exported.code, exported.stderr).toBe(0);
  const seen = new Map<string, number>();
  for (const line of exported.stdout.split('\n').filter(Boolean)) {
    const { content } = JSON.parse(line) as { content: string };
    if (content.startsWith(`${name}:`)) seen.set(content, (seen.get(content) ?? 0) + 1);
  }
  return {
    lost: [...acknowledged].filter((text) => !seen.has(text)),
    doubled: [...seen].filter(([, times]) => times > 1).map(([text]) => text),
  };
}

/** Hashes and chains verify, and every row of the views is what a rebuild from the ledger makes. */
async function expectSound(stack: Stack): Promise<void> {
  const verified = await stack.command(['verify']);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  const replayed = await stack.command(['replay', '--check', '--json']);
  expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0);
  const { projections } = JSON.parse(replayed.stdout) as { projections: { projection: string; matches?: boolean }[] };
  expect(projections.filter(({ matches }) => matches !== true)).toEqual([]);
  const letters = await onDatabase(stack.databases.viewsAdminUrl, [
    'SELECT stream, reason FROM hindsight.hl_dead_letters',
  ]);
  expect(letters).toEqual([]);
}

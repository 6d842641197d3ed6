import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import type { AuditInput } from '#contract/audit.js';
import type { SearchInput } from '#contract/search.js';
import { type Embedded, openEmbedded } from '../services/cli/embedded/open-embedded.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { sentences } from './load/sentences.js';

interface Measured {
  readonly memories: number;
  readonly now: Percentiles;
  /** The same questions at a basis from when a tenth of the memories were not there, nor its retractions made. */
  readonly past: Percentiles;
  /** The same, each at another past moment: nothing of one question serves the next. */
  readonly anyMoment: Percentiles;
  /** Memories a second, streamed in pages of 2,000. */
  readonly state: number;
  readonly stateThen: number;
  /** Milliseconds of the difference between that basis and now, and its rows. */
  readonly diff: { readonly ms: number; readonly rows: number };
  /** Of one memory with 1,000 versions. */
  readonly history: Percentiles;
}

const questions = 500;
const versions = 1_000;
const page = 2_000;

/** Looking back, beside the same questions about the present. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const results: Measured[] = [];
  let filled = 0;
  let embedded = await open(home);
  await manyVersions(embedded);
  for (const size of options.full === false ? [1_000, 10_000] : [1_000, 10_000, 100_000]) {
    const earlier = await fill(embedded, filled, size);
    filled = size;
    // As a process that has just begun has it: what is measured is not what filling left behind.
    await embedded.close();
    embedded = await open(home);
    const measured = await measure(embedded, size, earlier);
    results.push(measured);
    if (!options.json) report(measured);
  }
  await embedded.close();
  rmSync(home, { recursive: true, force: true });
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

function open(home: string): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home }, env: {} });
  return openEmbedded({ config, log: plainLog('silent', () => undefined) });
}

interface Past {
  readonly basis: string;
  readonly times: readonly string[];
}

async function fill(embedded: Embedded, from: number, to: number): Promise<Past> {
  const text = sentences(from + 7);
  const caller = embedded.caller('bench');
  const times: string[] = [];
  let basis = '';
  for (let done = from; done < to; done += 500) {
    const items = Array.from({ length: Math.min(500, to - done) }, () => ({ content: text.next() }));
    const written = await embedded.commands.write({ items }, caller);
    await embedded.projector.catchUp();
    if (done < to - (to - from) / 10) {
      basis = written.basis ?? basis;
      times.push(new Date().toISOString());
    }
    const gone = written.items?.[0]?.memory_id;
    if (gone) await embedded.commands.forget({ memory_id: gone, reason: 'bench' }, caller);
  }
  return { basis, times };
}

/** A slot that was written a thousand times, half of them about the past. */
async function manyVersions(embedded: Embedded): Promise<void> {
  const caller = embedded.caller('bench');
  const text = sentences(3);
  const began = Date.UTC(2025, 0, 1);
  for (let done = 0; done < versions; done += 100) {
    const items = Array.from({ length: 100 }, (_, at) => {
      const number = done + at;
      const from = began + (number % 2 ? number : versions * 2 - number) * 3_600_000;
      return { key: 'bench.slot', content: text.next(), valid_from: new Date(from).toISOString() };
    });
    await embedded.commands.write({ items }, caller);
  }
}

async function measure(embedded: Embedded, memories: number, { basis, times }: Past): Promise<Measured> {
  const caller = embedded.caller('bench');
  const asked = sentences(memories + 1);
  const all = Array.from({ length: questions }, () => asked.question());
  const search = (more: (at: number) => Partial<SearchInput> = () => ({})) =>
    timed(questions, (at) => embedded.queries.search({ query: all[at]!, ...more(at) }, caller));
  await search();
  // In turns, so that neither has the quieter minute of the machine.
  const now: number[] = [];
  const past: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    now.push(...(await search()));
    past.push(...(await search(() => ({ basis }))));
  }
  const anyMoment = await timed(100, (at) =>
    embedded.queries.search({ query: all[at]!, as_of: times[at % times.length]! }, caller),
  );
  const stream = async (input: AuditInput) => {
    const began = performance.now();
    let rows = 0;
    let cursor: string | undefined;
    do {
      const answer = await embedded.queries.audit({ ...input, limit: page, ...(cursor ? { cursor } : {}) }, caller);
      rows += answer.rows.length;
      cursor = answer.next;
    } while (cursor);
    return { rows, ms: performance.now() - began };
  };
  const state = await stream({ ask: 'state' });
  const stateThen = await stream({ ask: 'state', basis });
  const diff = await stream({ ask: 'diff', from: basis });
  const history = await timed(50, () => embedded.queries.history({ key: 'bench.slot' }, caller));
  await embedded.commands.flush();
  return {
    memories,
    now: percentiles(now),
    past: percentiles(past),
    anyMoment: percentiles(anyMoment),
    state: (state.rows / state.ms) * 1000,
    stateThen: (stateThen.rows / stateThen.ms) * 1000,
    diff,
    history: percentiles(history),
  };
}

async function timed(count: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const began = performance.now();
    await work(at);
    times.push(performance.now() - began);
  }
  return times;
}

function report(measured: Measured): void {
  const line = (name: string, value: string) => `          ${name.padEnd(30)} ${value}\n`;
  const a = (rate: number) => `${Math.round(rate).toLocaleString('en')} memories/s`;
  const ratio = (measured.past.p50 / measured.now.p50).toFixed(2);
  process.stdout.write(
    `${String(measured.memories).padStart(7)} memories\n` +
      line('search now', inMilliseconds(measured.now)) +
      line('the same at a past basis', `${inMilliseconds(measured.past)}; ${ratio} times at p50`) +
      line('each at another past moment', inMilliseconds(measured.anyMoment)) +
      line('state now, streamed', a(measured.state)) +
      line('state at a past basis, streamed', a(measured.stateThen)) +
      line('difference of that and now', `${measured.diff.ms.toFixed(0)} ms, ${measured.diff.rows} rows`) +
      line(`history of ${versions} versions`, inMilliseconds(measured.history)),
  );
}

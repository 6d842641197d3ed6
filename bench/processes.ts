import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMilliseconds, percentiles } from './load/percentiles.js';
import { sentences } from './load/sentences.js';
import { connect } from './load/stdio-client.js';

const entry = join(import.meta.dirname, '..', '..', 'bundle', 'main.js');

interface Round {
  readonly processes: number;
  readonly writesPerSecond: number;
  readonly times: readonly number[];
}

/**
 * Writes of each server. Alike: every server writes as much as the one. Shared: the eight share the writes of the one, so that most of
 * theirs run in code that is not compiled yet, as in servers that live for a short while.
 */
const forms = { alike: { 1: 1000, 8: 1000 }, shared: { 1: 4000, 8: 500 } } as const;
type Form = keyof typeof forms;

/** Eight stdio servers on one home against one, in turns: writes/s of all together, each write acknowledged before its client's next. */
export default async function run(options: { json?: boolean } = {}): Promise<void> {
  const summaries: Record<string, { one: number; eight: number; ratio: number }> = {};
  for (const form of ['alike', 'shared'] as const) {
    const rounds: Round[] = [];
    for (let round = 0; round < 4; round++) {
      for (const processes of round % 2 ? ([8, 1] as const) : ([1, 8] as const)) {
        const measured = await measure(form, processes, round);
        rounds.push(measured);
        if (!options.json) {
          process.stdout.write(
            `${form}: ${processes} process${processes > 1 ? 'es' : '  '}  ${measured.writesPerSecond.toFixed(0)} writes/s together  ${inMilliseconds(percentiles(measured.times))}\n`,
          );
        }
      }
    }
    const mean = (processes: number) =>
      percentiles(rounds.filter((each) => each.processes === processes).map((each) => each.writesPerSecond)).mean;
    const summary = { one: mean(1), eight: mean(8), ratio: mean(8) / mean(1) };
    summaries[form] = summary;
    if (!options.json) {
      process.stdout.write(
        `${form}, mean: one ${summary.one.toFixed(0)}/s, eight together ${summary.eight.toFixed(0)}/s, ratio ${summary.ratio.toFixed(2)}\n`,
      );
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(summaries)}\n`);
}

async function measure(form: Form, processes: 1 | 8, seed: number): Promise<Round> {
  const home = mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const clients = await Promise.all(
    Array.from({ length: processes }, () => connect(process.execPath, [entry, '--home', home])),
  );
  await Promise.all(
    clients.map((client) => client.call('memory_write', { content: 'the first write makes keys and a bank' })),
  );
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(
    clients.map(async (client, index) => {
      const text = sentences(seed * 100 + index + 1);
      for (let write = 0; write < forms[form][processes]; write++) {
        const sent = performance.now();
        await client.call('memory_write', { content: text.next() });
        times.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(clients.map((client) => client.close()));
  rmSync(home, { recursive: true, force: true });
  return { processes, writesPerSecond: (forms[form][processes] * processes) / seconds, times };
}

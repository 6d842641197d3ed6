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

/** Of each process: the first hundreds run in code that is not compiled yet, and eight that share one's writes would all be at that. */
const writesEach = 1000;

/** Eight stdio servers on one home against one, in turns: writes/s of all together, each write acknowledged before its client's next. */
export default async function run(options: { json?: boolean } = {}): Promise<void> {
  const rounds: Round[] = [];
  for (let round = 0; round < 5; round++) {
    for (const processes of round % 2 ? [8, 1] : [1, 8]) {
      rounds.push(await measure(processes, round));
      const last = rounds.at(-1) as Round;
      if (!options.json) {
        process.stdout.write(
          `${processes} process${processes > 1 ? 'es' : '  '}  ${last.writesPerSecond.toFixed(0)} writes/s together  ${inMilliseconds(percentiles(last.times))}\n`,
        );
      }
    }
  }
  const median = (processes: number) =>
    percentiles(rounds.filter((each) => each.processes === processes).map((each) => each.writesPerSecond)).p50;
  const summary = { one: median(1), eight: median(8), ratio: median(8) / median(1) };
  process.stdout.write(
    options.json
      ? `${JSON.stringify(summary)}\n`
      : `median: one ${summary.one.toFixed(0)}/s, eight together ${summary.eight.toFixed(0)}/s, ratio ${summary.ratio.toFixed(2)}\n`,
  );
}

async function measure(processes: number, seed: number): Promise<Round> {
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
      for (let write = 0; write < writesEach; write++) {
        const sent = performance.now();
        await client.call('memory_write', { content: text.next() });
        times.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(clients.map((client) => client.close()));
  rmSync(home, { recursive: true, force: true });
  return { processes, writesPerSecond: (writesEach * processes) / seconds, times };
}

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMilliseconds, percentiles } from './load/percentiles.js';

const program = join(import.meta.dirname, 'load', 'ledger-writer.js');
const processes = 8;
const rounds = 12;
const milliseconds = 500;

/**
 * One process and eight that append single events to one file, each with its fsync: through the ledger, sealing included, and with
 * the bare driver, whose BEGIN IMMEDIATE waits as SQLite does by itself. Short rounds in turns, so that all meet the same machine.
 */
export default async function run(options: { json?: boolean } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-writers-'));
  const kinds = ['ledger', 'raw'] as const;
  const writers = new Map<string, ChildProcess[]>();
  for (const kind of kinds) {
    const children: ChildProcess[] = [];
    for (let each = 0; each < processes; each += 1) children.push(await start(kind, join(folder, `${kind}.db`)));
    writers.set(kind, children);
  }
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of kinds) {
      for (const count of round % 2 ? [1, processes] : [processes, 1]) {
        const told = await Promise.all(writers.get(kind)!.slice(0, count).map(write));
        const line = `${kind} ${count}`;
        times.set(line, [...(times.get(line) ?? []), ...told.flat()]);
      }
    }
  }
  const perSecond = (line: string) => (times.get(line)!.length / (rounds * milliseconds)) * 1000;
  const results = kinds.map((kind) => {
    const [one, eight] = [perSecond(`${kind} 1`), perSecond(`${kind} ${processes}`)];
    return { kind, one, eight, ratio: eight / one, waits: percentiles(times.get(`${kind} ${processes}`)!) };
  });
  for (const { kind, one, eight, ratio, waits } of options.json ? [] : results) {
    process.stdout.write(
      `${kind.padEnd(6)} one process ${one.toFixed(0)}/s, eight together ${eight.toFixed(0)}/s (${(ratio * 100).toFixed(0)}%), each of eight ${inMilliseconds(waits)}\n`,
    );
  }
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
  for (const child of [...writers.values()].flat()) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function start(kind: string, path: string): Promise<ChildProcess> {
  const child = fork(program, [kind, path]);
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}

function write(child: ChildProcess): Promise<number[]> {
  return new Promise((resolve) => {
    child.once('message', (times) => resolve(times as number[]));
    child.send(milliseconds);
  });
}

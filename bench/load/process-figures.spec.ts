import { expect, it } from 'vitest';
import { families, readStat } from './process-figures.js';

const fields = (parent: number, user: number, system: number) =>
  `S ${parent} 1 1 0 -1 4194560 10 0 0 0 ${user} ${system} 0 0 20 0 1 0`;

it('reads parent and processor time behind a name that holds what separates fields', () => {
  expect(readStat(`12 (postgres: a) b) ${fields(7, 250, 50)}`)).toEqual({ parent: 7, cpuSeconds: 3 });
});

it('gathers each child with all that is below it, and nothing else', () => {
  const one = (pid: number, parent: number) => ({ pid, parent, command: `c${pid}`, cpuSeconds: pid });
  const all = [one(1, 0), one(10, 1), one(11, 10), one(12, 11), one(20, 1), one(99, 0)];
  expect(families(all, 1).map(({ root, processes }) => [root.pid, processes.map(({ pid }) => pid)])).toEqual([
    [10, [10, 11, 12]],
    [20, [20]],
  ]);
});

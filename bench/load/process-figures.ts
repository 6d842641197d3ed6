import { readdirSync, readFileSync } from 'node:fs';

/** What a process and those that it started take, together. */
export interface ProcessFigures {
  /** Processor time so far, in seconds. */
  readonly cpuSeconds: number;
  /** Memory in MB; pages that several share count once. */
  readonly megabytes: number;
}

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly cpuSeconds: number;
}

/** Clock ticks a second, in which Linux counts processor time for programs. */
const ticks = 100;

/**
 * By name: this process's children with all of their descendants, and this process itself as `load`. Linux only.
 * @param nameOf undefined for what is not to be counted
 */
export function processFigures(nameOf: (command: string) => string | undefined): Map<string, ProcessFigures> {
  const all = listed();
  const figures = new Map<string, ProcessFigures>();
  const add = (name: string, processes: readonly ListedProcess[]) => {
    const before = figures.get(name) ?? { cpuSeconds: 0, megabytes: 0 };
    figures.set(name, {
      cpuSeconds: before.cpuSeconds + sum(processes.map(({ cpuSeconds }) => cpuSeconds)),
      megabytes: before.megabytes + sum(processes.map(({ pid }) => megabytesOf(pid))),
    });
  };
  for (const { root, processes } of families(all, process.pid)) {
    const name = nameOf(root.command);
    if (name !== undefined) add(name, processes);
  }
  add(
    'load',
    all.filter(({ pid }) => pid === process.pid),
  );
  return figures;
}

/** Each child of a process with everything below it. */
export function families(
  all: readonly ListedProcess[],
  of: number,
): { root: ListedProcess; processes: ListedProcess[] }[] {
  const below = (pid: number): ListedProcess[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return all.filter(({ parent }) => parent === of).map((root) => ({ root, processes: [root, ...below(root.pid)] }));
}

/** A line of /proc/PID/stat: the name in it may hold spaces and parentheses. */
export function readStat(line: string): { parent: number; cpuSeconds: number } {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticks };
}

function listed(): ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), command, ...readStat(readFileSync(`/proc/${name}/stat`, 'utf8')) }];
      } catch {
        return []; // It ended meanwhile.
      }
    });
}

/** Its share of the pages that it has in memory. */
function megabytesOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

import { afterAll } from 'vitest';
import { temporaryHome } from './built-server.js';
import type { Finished } from './command.js';

/** Makes homes for the specs of one file, and removes them when all of these have run. */
export function freshHomes(): () => string {
  const removals: (() => void)[] = [];
  afterAll(() => {
    for (const remove of removals) remove();
  });
  return () => {
    const { path, remove } = temporaryHome();
    removals.push(remove);
    return path;
  };
}

/** What a verb answered with `--json`. */
export function parsed<T>({ stdout }: Pick<Finished, 'stdout'>): T {
  return JSON.parse(stdout) as T;
}

import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Nobody needs longer to make an empty file; in milliseconds. */
const staleAfter = 30_000;

/** Runs `work` while no other process runs it for the same path. A lock whose holder died is taken over. */
export async function withFileLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  while (!take(lock)) {
    if (isStale(lock)) remove(lock);
    else await sleep(10 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    remove(lock);
  }
}

function take(lock: string): boolean {
  try {
    const file = openSync(lock, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lock: string): boolean {
  const stats = statSync(lock, { throwIfNoEntry: false });
  if (!stats) return false;
  if (Date.now() - stats.mtimeMs > staleAfter) return true;
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    if (!Number.isInteger(holder) || holder <= 0 || holder === process.pid) return false;
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function remove(lock: string): void {
  try {
    unlinkSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, HindsightError, isHindsightError } from '#contract/errors.js';
import type { Log } from '../embedded/plain-log.js';

/** What another service or an operator may still start or make. */
const mayCome: readonly ErrorCode[] = [
  'unreachable',
  'ledger_busy',
  'keys_unreachable',
  'keys_missing',
  'master_key_missing',
  'views_missing',
  // Also of a schema that is just being made, whose grants come last.
  'database_refused',
];

export interface Waiting {
  readonly log: Log;
  /** Aborts when the process is to stop. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch at which a service gives up, so that whoever restarts it sees why. */
  readonly until: number;
  /** What is waited for now, in words; by its name. */
  readonly missing: Map<string, string>;
}

const firstPause = 100;
const longestPause = 2_000;

/**
 * Opens something that may not be there yet: services and engines are started in any order. It is said once what is missing.
 * @throws HindsightError what opening failed with, at the end of patience or where waiting would not help
 */
export async function untilThere<T>(name: string, open: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { log, signal, until, missing } = waiting;
  let told: string | undefined;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      const opened = await open();
      if (told !== undefined) log.info({ engine: name }, `${name}: there now`);
      missing.delete(name);
      return opened;
    } catch (error) {
      if (!isHindsightError(error) || !mayCome.includes(error.code)) throw error;
      if (signal.aborted) throw new HindsightError('unreachable', `Stopped while waiting for ${name}.`);
      if (Date.now() + pause >= until) throw error;
      missing.set(name, `${name}: ${error.message}`);
      if (told !== error.code) log.warn({ engine: name, code: error.code }, `waiting for ${name}: ${error.message}`);
      told = error.code;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Whether it is there now: a sentence where it is not. */
export async function whyNot(name: string, look: () => Promise<unknown>, withinMs = 2_500): Promise<string[]> {
  const late = sleep(withinMs, undefined, { ref: false }).then(() => {
    throw new HindsightError('unreachable', `No answer within ${withinMs / 1000} s.`);
  });
  try {
    await Promise.race([look(), late]);
    return [];
  } catch (error) {
    return [
      `${name}: ${isHindsightError(error) ? error.message : 'it cannot be used, for a reason that is in the log.'}`,
    ];
  }
}

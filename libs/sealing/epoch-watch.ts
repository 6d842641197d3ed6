import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';

/** How long whoever needs a key that is cached waits for an answer of the key store, in milliseconds; once in an outage. */
const waitAtMost = 2_000;

/** Notices that another process has started a new epoch, so that what was erased is not served from memory. */
export interface EpochWatch {
  /** To be waited for before something cached is served; undefined when the store was asked lately. Fails only by what `ask` finds wrong. */
  due(): Promise<void> | undefined;
  /** Asks now. @throws HindsightError keys_unreachable */
  now(): Promise<void>;
}

/**
 * While the key store cannot be reached nothing is learnt, and what is cached goes on serving (docs/decisions/0004-keys.md): then
 * nobody waits for it either.
 * @param ask compares the epoch with the store's, and lets go of everything opened when it has moved
 * @param within how old the last answer may be, in milliseconds
 */
export function epochWatch(ask: () => Promise<void>, within: number): EpochWatch {
  let askedAt = performance.now();
  let asking: Promise<void> | undefined;
  let isAway = false;

  const once = async () => {
    const began = performance.now();
    try {
      await ask();
      askedAt = began;
      isAway = false;
    } catch (error) {
      if (!isHindsightError(error, 'keys_unreachable')) throw error;
      askedAt = performance.now();
      isAway = true;
    }
  };

  const learnt = async () => {
    const giveUp = performance.now() + waitAtMost;
    // One that was asked before this call began may be too old when it is answered.
    while (!isAway && performance.now() - askedAt >= within) {
      asking ??= once().finally(() => {
        asking = undefined;
      });
      await Promise.race([asking, sleep(Math.max(giveUp - performance.now(), 0), undefined, { ref: false })]);
      if (performance.now() >= giveUp) isAway = true;
    }
  };

  return {
    due() {
      if (performance.now() - askedAt < within) return undefined;
      if (!isAway) return learnt();
      asking ??= once().finally(() => {
        asking = undefined;
      });
      asking.catch(() => {});
      return undefined;
    },
    now: ask,
  };
}

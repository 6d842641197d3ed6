import { randomUUID } from 'node:crypto';
import type { Views } from '#views/views.js';

/** Held by whoever replays: what is being built is not abandoned. */
export const replayLease = 'replay';
/** Milliseconds that it is held for, and after which it is renewed. */
export const replayLeaseMs = { held: 10_000, renewed: 1_000 };

/** Two, so that a look does not give up what is held for a drop. */
const [holder, looking] = [randomUUID(), randomUUID()];

export interface ReplayHold {
  /** Renews it where it is time to. Of several who replay at once one has it: that is enough. */
  renew(): Promise<void>;
  release(): Promise<void>;
  /** What is still to be renewed lapses by itself. */
  end(): void;
}

/** Says that this process replays until it is released, however long a step takes. */
export function holdReplay(views: Views, mine: string): ReplayHold {
  let renewed = -Infinity;
  let renewing: Promise<void> | undefined;
  let isOver = false;
  async function take(): Promise<void> {
    if (await views.lease(replayLease, mine, replayLeaseMs.held)) renewed = performance.now();
  }
  async function renew(): Promise<void> {
    if (isOver || performance.now() - renewed < replayLeaseMs.renewed) return;
    renewing ??= take().finally(() => {
      renewing = undefined;
    });
    await renewing;
  }
  const timer = setInterval(() => void renew().catch(() => undefined), replayLeaseMs.renewed);
  function end(): void {
    isOver = true;
    clearInterval(timer);
  }
  return {
    renew,
    end,
    async release() {
      end();
      await renewing?.catch(() => undefined);
      await views.release(replayLease, mine);
    },
  };
}

/**
 * Whether somebody replays: what is to take the place of an older version is theirs to build and to switch to. That cannot be told while
 * another process holds the store's lock: then it is taken to be so, and looked at again.
 */
export async function isReplaying(views: Views): Promise<boolean> {
  if (!(await views.lease(replayLease, looking, replayLeaseMs.held))) return true;
  await views.release(replayLease, looking);
  return false;
}

/**
 * Something was purged: what an interrupted replay left is projected into no more, and would keep what was erased. Generations of another
 * version than that in use are being built to replace it, and come to the purge by themselves.
 */
export async function dropAbandoned(views: Views): Promise<void> {
  const generations = await views.generations();
  const isAbandoned = (each: (typeof generations)[number]): boolean =>
    !each.active &&
    !each.former &&
    generations.some((one) => one.active && one.projection === each.projection && one.version === each.version);
  const found = generations.filter(isAbandoned);
  // For as long as others hold it: what is held for longer passes for a clock that was set back.
  if (found.length === 0 || !(await views.lease(replayLease, holder, replayLeaseMs.held))) return;
  await views.drop(found);
  await views.release(replayLease, holder);
}

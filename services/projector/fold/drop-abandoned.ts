import { randomUUID } from 'node:crypto';
import type { Views } from '#views/views.js';

/** Held by whoever replays: what is being built is not abandoned. */
export const replayLease = 'replay';
/** Milliseconds that it is held for, and after which it is renewed. */
export const replayLeaseMs = { held: 10_000, renewed: 1_000 };

const holder = randomUUID();

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

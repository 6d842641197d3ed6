import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '#ledger/ledger.js';
import type { WrittenHeads } from '#views/written-heads.js';

export interface AwaitViewsDeps {
  readonly heads: Pick<WrittenHeads, 'last'>;
  /** Changes when the views were made anew. */
  readonly stamp: () => Promise<string>;
  /** How far all that answers come from has been projected, for a bank's partition; undefined when nothing has been. */
  readonly passed: (bank: string) => Promise<Position | undefined>;
  /** The ledger's last position: no basis lies beyond it. */
  readonly head: () => Promise<Position | undefined>;
  /** Milliseconds; never running back. */
  readonly now?: () => number;
  /** Milliseconds that a question waits; 5,000 by default. */
  readonly patience?: number;
}

/** Milliseconds between looks at the views, growing: most of what is waited for is there within a hundred. */
const firstLook = 3;
const longestLook = 50;

/** Banks of which is remembered what was seen. */
const rememberedBanks = 10_000;

/** What an answer says that does not hold all that was written. */
const note =
  'What was written last is not in this answer yet: the projections are behind. Ask again in a moment; `stats` tells how far they are.';

/**
 * Waits until a bank's last known write can be read, by whichever process projects it; as long as patience lasts.
 * @returns a note for the answer where it did not
 */
export function awaitViews(deps: AwaitViewsDeps): (bank: string, atLeast?: Position) => Promise<string | undefined> {
  const { heads, stamp, passed, head, now = () => performance.now(), patience = 5_000 } = deps;
  const seen = new Map<string, { readonly stamp: string; readonly position: Position }>();

  async function hasPassed(bank: string, target: Position, at: string): Promise<boolean> {
    const position = await passed(bank);
    if (position === undefined || position < target) return false;
    seen.delete(bank);
    seen.set(bank, { stamp: at, position });
    if (seen.size > rememberedBanks) seen.delete(seen.keys().next().value!);
    return true;
  }

  return async (bank, atLeast) => {
    const last = await heads.last(bank);
    const target = atLeast !== undefined && atLeast > (last ?? '') ? atLeast : last;
    if (target === undefined) return undefined;
    const at = await stamp();
    const before = seen.get(bank);
    if (before && before.stamp === at && before.position >= target) return undefined;
    const began = now();
    for (let pause = firstLook; !(await hasPassed(bank, target, at)); pause = Math.min(pause * 1.5, longestLook)) {
      // A basis of another ledger, or of another store before a migration: it is told from where it is looked up.
      if (target !== last && pause === firstLook && target > ((await head()) ?? '')) return undefined;
      if (now() - began >= patience) return note;
      await sleep(pause);
    }
    return undefined;
  };
}

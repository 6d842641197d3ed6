import { setImmediate as breathe } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import { furthestBack, type ProjectorDeps, persistPassed, projectBatch } from './fold/project-batch.js';
import { isAhead, type LiveTracks, leftovers } from './live-tracks.js';
import type { Projection } from './projections/projection.js';

/** How much of the event loop a slice may take. */
export type SliceLimit = () => { events: number; took: (ms: number) => void };

/** Keeps some generations at the ledger's head, in one run at a time. */
export interface Bringing {
  hasPassed(target: Position | undefined): Promise<boolean>;
  /**
   * Whoever comes while it runs waits for that run and looks again.
   * @param budget milliseconds after which it may return before it is there
   */
  upTo(target: Position | undefined, limit: SliceLimit, budget?: number): Promise<void>;
  /** How far this process has looked. */
  passed(): Position | undefined;
  isRunning(): boolean;
  /** What is in the store now is read again at the next run. */
  forget(): void;
  /** Moves the checkpoints over what changed no row. */
  persist(): Promise<void>;
  /** Ends a run between two slices. */
  close(): Promise<void>;
}

export function createBringing(
  deps: ProjectorDeps,
  projections: readonly Projection[],
  /** Which generations these are, as the store has them now. */
  read: () => Promise<LiveTracks>,
  /** The store has come further than the ledger reaches. */
  startAnew: (head: Position | undefined) => Promise<void>,
  /** Whether what has come to the head is switched to; where not, what there is to bring is read again. */
  maySwitch: () => Promise<boolean> = async () => true,
): Bringing {
  const { ledger, views } = deps;
  let live: LiveTracks | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  const passed = (): Position | undefined => (live ? furthestBack(live.tracks) : undefined);

  async function hasPassed(target: Position | undefined): Promise<boolean> {
    if (live === undefined || live.stamp !== (await views.stamp())) return false;
    return live.tracks.length === 0 || (passed() ?? '') >= (target ?? '');
  }

  async function run(limit: SliceLimit, until: number): Promise<void> {
    while (!isClosed) {
      try {
        if (!live || live.stamp !== (await views.stamp())) live = await read();
        const target = await ledger.head();
        if (isAhead(live.tracks, target)) {
          await startAnew(target);
          live = undefined;
          continue;
        }
        while (live.tracks.length && target !== undefined && (passed() ?? '') < target) {
          if (isClosed || performance.now() > until) return;
          const { events, took } = limit();
          await projectBatch(deps, live.tracks, target, { limit: events, strict: false, onBlocked: took });
          // Requests that came meanwhile go before the next slice.
          if ((passed() ?? '') < target) await breathe();
        }
        const { successors } = live;
        if (successors.length === 0) return;
        live = undefined;
        if ((await maySwitch()) && (await views.switchTo(successors))) {
          const switched = projections.filter(({ name }) => successors.some(({ projection }) => projection === name));
          await views.drop(await leftovers(views, switched));
        }
      } catch (error) {
        live = undefined;
        // Another process was faster, or the file was replaced: what is there now is read again.
        if (!isHindsightError(error, 'checkpoint_moved')) throw error;
      }
    }
  }

  return {
    hasPassed,
    passed,
    isRunning: () => running !== undefined,
    async upTo(target, limit, budget = Infinity) {
      const until = performance.now() + budget;
      while (!isClosed && performance.now() <= until && !(await hasPassed(target))) {
        running ??= run(limit, until).finally(() => {
          running = undefined;
        });
        await running;
      }
    },
    forget() {
      live = undefined;
    },
    async persist() {
      try {
        if (live) await persistPassed(views, live.tracks);
      } catch (error) {
        live = undefined;
        // Another process was faster, and has moved them.
        if (!isHindsightError(error, 'checkpoint_moved')) throw error;
      }
    },
    async close() {
      isClosed = true;
      await running?.catch(() => undefined);
      // Only spares the next process a look through events that changed nothing.
      if (live) await persistPassed(views, live.tracks).catch(() => undefined);
      live = undefined;
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import type { ErasureCompleted } from '#events/erasure-completed.js';
import { completeOrdered, type Destroyed, destroyOrdered } from './carry-out.js';
import type { ErasingDeps } from './erasing-deps.js';
import { type Order, ordersOf } from './order.js';

/** Milliseconds between tries to go on with what is unfinished: ever longer, down to one in so many. */
const firstPause = 1_000;
const longestPause = 60_000;

/** Milliseconds between looks for what another process left. */
const lookEvery = 30_000;

/** How far an erasure came. */
export type Progress =
  | { readonly is: 'completed'; readonly destroyed?: Destroyed; readonly completed: ErasureCompleted['data'] }
  | { readonly is: 'waiting'; readonly destroyed?: Destroyed; readonly why: string };

export interface RunningErasures {
  /** Carries an order out; what cannot be done now is gone on with in the background. @param patience milliseconds that the answer may take */
  carryOut(order: Order, patience: number): Promise<Progress>;
  /** Goes on with every order that was not completed, whoever gave it; resolves when it has tried all of them. */
  resume(): Promise<void>;
  /** Resumes now and every half minute, for a process that stays: another one may have been killed. */
  watch(): void;
  /** Lets what is under way come to its next stop. */
  close(): Promise<void>;
}

/** The erasures that this process works at. Several processes may be at the same one. */
export function runningErasures(deps: ErasingDeps): RunningErasures {
  const running = new Map<string, Promise<Progress>>();
  /** Why each waits, as it was said last: what stays as it is is said once, however often it is tried. */
  const said = new Map<string, string>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let pause = firstPause;
  let resuming: Promise<void> | undefined;
  let watching: NodeJS.Timeout | undefined;

  async function run(order: Order): Promise<Progress> {
    if (order.completed) return { is: 'completed', completed: order.completed };
    let destroyed: Destroyed | undefined;
    try {
      // Once the views know the order, whoever comes next finds it there.
      await deps.views.upToDate(order.bank).catch(() => undefined);
      destroyed = await destroyOrdered(deps, order);
      const completed = await completeOrdered(deps, destroyed);
      said.delete(order.erasureId);
      return { is: 'completed', destroyed, completed };
    } catch (error) {
      const why = codeOf(error);
      if (said.get(order.erasureId) !== why) deps.log?.warn({ erasure: order.erasureId, why }, laterFor(why));
      said.set(order.erasureId, why);
      laterAgain();
      return {
        is: 'waiting',
        ...(destroyed ? { destroyed } : {}),
        why: isHindsightError(error) ? error.message : codeOf(error),
      };
    }
  }

  function started(order: Order): Promise<Progress> {
    const known = running.get(order.erasureId);
    if (known) return known;
    const begun = run(order).finally(() => running.delete(order.erasureId));
    running.set(order.erasureId, begun);
    return begun;
  }

  function laterAgain(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      pause = Math.min(pause * 2, longestPause);
      void resume();
    }, pause).unref();
  }

  async function resumeAll(): Promise<void> {
    try {
      for (const { bank, erasureId } of await (await deps.views.asTheyAre()).unfinishedErasures()) {
        if (closed) return;
        const order = (await ordersOf(deps, bank)).get(erasureId);
        if (!order || order.completed) continue;
        if ((await started(order)).is === 'completed') pause = firstPause;
      }
    } catch (error) {
      deps.log?.warn({ why: codeOf(error) }, 'whether an erasure is unfinished could not be found out; looking again');
      laterAgain();
    }
  }

  function resume(): Promise<void> {
    resuming ??= resumeAll().finally(() => {
      resuming = undefined;
    });
    return resuming;
  }

  return {
    resume,
    watch() {
      void resume();
      watching ??= setInterval(() => void resume(), lookEvery).unref();
    },
    async carryOut(order, patience) {
      const late = sleep(patience, undefined, { ref: false }).then(
        (): Progress => ({ is: 'waiting', why: 'It takes longer than this call may.' }),
      );
      return Promise.race([started(order), late]);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(watching);
      await resuming;
      await Promise.all(running.values());
    },
  };
}

/** What only people can mend is said with what they can do. */
function laterFor(why: string): string {
  const later = 'an erasure goes on later, by itself';
  if (why !== 'key_backup_needed') return later;
  return `${later}, once HINDSIGHT_LEDGER_KEY_BACKUP names the file where the copy of the keys is made anew, or says none: it was not ordered with --no-key-backup`;
}

function codeOf(error: unknown): string {
  return isHindsightError(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}

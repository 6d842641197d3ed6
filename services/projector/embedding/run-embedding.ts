import { isHindsightError } from '#contract/errors.js';
import type { ProjectorLog } from '../fold/project-batch.js';

/** Milliseconds after the start before the first look: an agent's first question is answered first. */
const defaultFirstLook = 3_000;
/** Milliseconds between looks: what this process projects wakes it, what others project waits for this. */
const defaultLookEvery = 5_000;
/** What is written at one time is embedded together: milliseconds from being woken to the look. */
const gather = 100;
const defaultBackOff = 1_000;
const defaultLongestBackOff = 60_000;

/** What is done in the background over the views: embedding, and whatever else goes on in the same manner. */
export interface EmbeddingWork {
  readonly log: ProjectorLog;
  /** Said when it fails; that embedding did by default. */
  readonly failing?: string | undefined;
  readonly firstLook?: number | undefined;
  readonly lookEvery?: number | undefined;
  readonly backOff?: number | undefined;
  readonly longestBackOff?: number | undefined;
  isNeeded(): Promise<boolean>;
  warm(): void;
  /** Takes the lease, or renews it. */
  isMine(): Promise<boolean>;
  /** Gives the lease up: there is nothing to do for now. */
  rest(): Promise<void>;
  /** One batch; undefined when nothing is left. */
  step(): Promise<unknown>;
  /** What is made of it when nothing is left, without the model. */
  readonly afterwards?: { isNeeded(): Promise<boolean>; step(): Promise<unknown> };
  onWake(wake: () => void): void;
}

/** Ends when the signal aborts, after the batch that is under way or without it. */
export async function runEmbedding(signal: AbortSignal, work: EmbeddingWork): Promise<void> {
  const { firstLook = defaultFirstLook, lookEvery = defaultLookEvery } = work;
  const { backOff = defaultBackOff, longestBackOff = defaultLongestBackOff } = work;
  const { failing = 'embedding failed: keywords answer meanwhile, and it is tried again' } = work;
  const sleeper = createSleeper(signal);
  let isHeld = false;
  let complaint: string | undefined;
  let failures = 0;
  // Until then nothing wakes it.
  await sleeper.sleep(firstLook);
  work.onWake(() => sleeper.wake(gather));
  while (!signal.aborted) {
    try {
      const isLeft = await once(work);
      if (isLeft) complaint = undefined;
      failures = 0;
      if (isHeld && !isLeft) await work.rest();
      isHeld = isLeft;
      if (!isLeft) await sleeper.sleep(lookEvery * (0.75 + Math.random() / 2));
    } catch (error) {
      if (signal.aborted) break;
      failures++;
      const message = error instanceof Error ? error.message : String(error);
      const isBusy = isHindsightError(error, 'ledger_busy');
      if (message !== complaint && !isBusy) work.log.warn({ error: message }, failing);
      if (!isBusy) complaint = message;
      const wait = Math.min(backOff * 2 ** Math.min(failures - 1, 16), longestBackOff);
      await sleeper.sleep(wait * (0.75 + Math.random() / 2), 'deeply');
    }
  }
  work.onWake(() => undefined);
}

/** @returns whether a batch was made, so that another may follow at once */
async function once(work: EmbeddingWork): Promise<boolean> {
  if (!(await work.isNeeded())) {
    const { afterwards } = work;
    if (afterwards && (await afterwards.isNeeded()) && (await work.isMine())) await afterwards.step();
    return false;
  }
  // Before the model is loaded: of several processes, one does so for this.
  if (!(await work.isMine())) return false;
  work.warm();
  return (await work.step()) !== undefined;
}

interface Sleeper {
  /** @param how `deeply`: nothing but the end of the process wakes it */
  sleep(ms: number, how?: 'deeply'): Promise<void>;
  wake(withinMs: number): void;
}

function createSleeper(signal: AbortSignal): Sleeper {
  let rouse: ((withinMs: number) => void) | undefined;
  let isMissed = false;
  return {
    async sleep(ms, how) {
      const wait = isMissed && how === undefined ? Math.min(ms, gather) : ms;
      isMissed = false;
      await new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          rouse = undefined;
          signal.removeEventListener('abort', done);
          resolve();
        };
        let timer = setTimeout(done, wait).unref();
        const until = performance.now() + wait;
        signal.addEventListener('abort', done, { once: true });
        if (how === undefined)
          rouse = (withinMs) => {
            if (until - performance.now() <= withinMs) return;
            clearTimeout(timer);
            timer = setTimeout(done, withinMs).unref();
          };
      });
    },
    wake(withinMs) {
      if (rouse) rouse(withinMs);
      else isMissed = true;
    },
  };
}

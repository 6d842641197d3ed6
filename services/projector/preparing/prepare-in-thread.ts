import { Worker } from 'node:worker_threads';
import type { Position } from '#ledger/ledger.js';
import { unpackSlice } from './prepared-slice.js';
import type { Answered, Preparation, PreparedAhead, Told } from './preparing.js';

/** The thread's program, compiled: it opens ledger and keys by `opens`, calls `servePreparing` and says `ready`. */
export interface ThreadProgram {
  readonly file: string;
  readonly opens: object;
}

/** How often it is asked in vain before the thread is started, which takes some 300 ms of processor: a short rebuild is over by then. */
const asksBefore = 3;
/** Events ahead that it is started for at once: with what it takes to begin it is ready before a third of them are done. */
const manyEvents = 6_000;

/** Prepares in a thread of its own, once that is worth it. */
export function prepareInThread(
  program: ThreadProgram,
  preparation: Preparation,
  options: { readonly asksBefore?: number } = {},
): PreparedAhead {
  let asks = options.asksBefore ?? asksBefore;
  let thread: PreparedAhead | undefined;
  return {
    async next(after, target) {
      if (!thread && asks-- > 0 && !areMany(after, target)) return undefined;
      thread ??= started(program, preparation);
      return thread.next(after, target);
    },
    close: async () => thread?.close(),
  };
}

/** Positions of a home's ledger number its events. */
function areMany(after: Position | undefined, target: Position): boolean {
  return Number(target) - Number(after ?? 0) >= manyEvents;
}

/** It keeps no process alive. Until it has begun, and once it has ended, nothing is to be had of it. */
function started({ file, opens }: ThreadProgram, preparation: Preparation): PreparedAhead {
  const worker = new Worker(file, { workerData: { opens, preparation }, name: 'preparing' });
  let isReady = false;
  let hasEnded = false;
  let run = 0;
  /** Where the next slice of the run begins. */
  let at: { after: string | undefined; target: string } | undefined;
  let waiting: ((answer: Answered | undefined) => void) | undefined;
  let answers: Answered[] = [];

  const tell = (told: Told): void => worker.postMessage(told);
  const end = (): void => {
    hasEnded = true;
    waiting?.(undefined);
    waiting = undefined;
  };

  worker.on('message', (message: 'ready' | Answered) => {
    if (message === 'ready') {
      isReady = true;
      return;
    }
    if (message.run !== run) return;
    if (waiting) {
      waiting(message);
      waiting = undefined;
    } else answers.push(message);
  });
  worker.on('error', end);
  worker.on('exit', end);
  // Last: a listener for messages holds it again.
  worker.unref();

  function answered(): Promise<Answered | undefined> {
    const found = answers.shift();
    if (found || hasEnded) return Promise.resolve(found);
    return new Promise((resolve) => {
      // While somebody waits it is worth living for.
      worker.ref();
      waiting = (answer) => {
        worker.unref();
        resolve(answer);
      };
    });
  }

  return {
    async next(after, target) {
      if (!isReady || hasEnded) return undefined;
      if (!at || at.after !== after || at.target !== target) {
        run++;
        answers = [];
        tell({ begin: run, after, target });
      }
      at = undefined;
      const answer = await answered();
      if (!answer?.slice) return undefined;
      tell({ taken: run });
      const slice = unpackSlice(answer.slice);
      if (slice.to < target) at = { after: slice.to, target };
      return slice;
    },
    async close() {
      if (hasEnded) return;
      hasEnded = true;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.ref();
      tell({ end: true });
      await ended;
    },
  };
}

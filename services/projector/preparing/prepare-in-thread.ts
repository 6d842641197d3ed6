import { Worker } from 'node:worker_threads';
import { unpackSlice } from './prepared-slice.js';
import type { Answered, Preparation, PreparedAhead, Told } from './preparing.js';

/** The thread's program, compiled: it opens ledger and keys by `opens`, calls `servePreparing` and says `ready`. */
export interface ThreadProgram {
  readonly file: string;
  readonly opens: object;
}

/**
 * Events ahead that it is started for: it takes some 300 ms of processor to begin, and comes to its first slices in code that is not compiled yet, while the first
 * thread waits. With 10,000 events ahead one thread came to the end before two did.
 */
const manyEvents = 20_000;

/** Prepares in a thread of its own, where that is worth it. */
export function prepareInThread(
  program: ThreadProgram,
  preparation: Preparation,
  options: { readonly manyEvents?: number } = {},
): PreparedAhead {
  const many = options.manyEvents ?? manyEvents;
  let thread: PreparedAhead | undefined;
  return {
    async next(after, target) {
      // Positions of a home's ledger number its events.
      if (!thread && Number(target) - Number(after ?? 0) < many) return undefined;
      thread ??= started(program, preparation);
      return thread.next(after, target);
    },
    close: async () => thread?.close(),
  };
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

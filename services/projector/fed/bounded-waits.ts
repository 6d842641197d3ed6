import { HindsightError } from '#contract/errors.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import type { Views } from '#views/views.js';
import type { prepareEvent } from '../fold/prepare-event.js';

/**
 * Milliseconds without an answer after which a wait is given up. Every adapter has an end of its own that comes before; this one is for
 * the faults of adapters and of their clients: a promise that nobody settles would stop a projection for good, without a word, while
 * its lease is renewed and no other process takes over.
 */
export const patience = 120_000;

/** What following the feed asks of the views. Dumping and counting, which may take long, it does not. */
const asked = [
  'stamp',
  'generations',
  'checkpoints',
  'startGeneration',
  'switchTo',
  'drop',
  'numbersOf',
  'load',
  'commit',
  'lease',
  'release',
  'deadLetters',
] as const satisfies readonly (keyof Views)[];

/** Its calls reject with `unreachable` when they are not answered. A commit that comes to its end later is found by its checkpoint. */
export function boundedViews(views: Views, ms: number = patience): Views {
  return new Proxy(views, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'function' || !asked.some((method) => method === name)) return found;
      return (...given: unknown[]) => inTime(found.apply(target, given), ms, `The read models (${String(name)})`);
    },
  });
}

/** The same of what is read of all: the next event, and the head. */
export function boundedLedger(ledger: Ledger, ms: number = patience): Ledger {
  return {
    ...ledger,
    readAll: (options) => eachInTime(ledger.readAll(options), ms, 'The ledger (readAll)'),
    head: () => inTime(ledger.head(), ms, 'The ledger (head)'),
  };
}

/** The same of opening an event: its keys may be a server's. */
export function boundedPrepare(prepare: typeof prepareEvent, ms: number = patience): typeof prepareEvent {
  return (vault, stored, how) => inTime(prepare(vault, stored, how), ms, `The keys of event ${stored.id} (opening it)`);
}

/** @throws HindsightError unreachable */
async function inTime<T>(work: Promise<T>, ms: number, who: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateness(who, ms)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** With one timer for all: a ledger that is caught up with gives ten thousand events a second. */
async function* eachInTime(events: AsyncIterable<StoredEvent>, ms: number, who: string): AsyncGenerator<StoredEvent> {
  const iterator = events[Symbol.asyncIterator]();
  let giveUp: (error: unknown) => void = () => undefined;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    giveUp(lateness(who, ms));
  }, ms);
  try {
    while (true) {
      isLate = false;
      timer.refresh();
      const next = await new Promise<IteratorResult<StoredEvent>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    // One that hangs would hang in this as well.
    const ended = iterator.return?.();
    if (isLate) ended?.catch(() => undefined);
    else await ended;
  }
}

function lateness(who: string, ms: number): HindsightError {
  const seconds = ms / 1000;
  return new HindsightError('unreachable', `${who} gave no answer for ${seconds} s; the wait is given up.`, {
    waitedMs: ms,
  });
}

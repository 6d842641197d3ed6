import type { CaughtUp, Position, StoredEvent } from '../ledger.js';
import { fromPosition, toPosition } from './columns.js';
import { nextTurn } from './next-turn.js';
import type { Pages } from './read-pages.js';

/** Wakes the subscriptions of this process when it appended something, so that they need not wait for their next look. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, after `ms` milliseconds, or when the signal aborts. */
  heard(ms: number, signal: AbortSignal): Promise<void>;
}

export function bell(): Bell {
  const listeners = new Set<() => void>();
  return {
    ring() {
      for (const listener of [...listeners]) listener();
    },
    heard: (ms, signal) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          listeners.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        listeners.add(done);
        signal.addEventListener('abort', done, { once: true });
        if (signal.aborted) done();
      }),
  };
}

/** Other processes' events are looked for every `lookEvery` milliseconds: one look costs about 5 µs. */
export async function* subscription(
  pages: Pages,
  wake: Bell,
  after: Position | undefined,
  signal: AbortSignal,
  lookEvery: number,
): AsyncGenerator<StoredEvent | CaughtUp> {
  let last = after === undefined ? 0 : fromPosition(after);
  let marked = false;
  while (!signal.aborted) {
    const events = pages.head() > last ? pages.all(last, 'forward', Number.MAX_SAFE_INTEGER) : [];
    for (const event of events) {
      yield event;
      if (signal.aborted) return;
    }
    if (events.length > 0) {
      last = fromPosition(events.at(-1)!.position);
      marked = false;
      await nextTurn();
      continue;
    }
    if (!marked) {
      marked = true;
      yield { caughtUp: true, position: last === 0 ? undefined : toPosition(last) };
      continue;
    }
    await wake.heard(lookEvery, signal);
  }
}

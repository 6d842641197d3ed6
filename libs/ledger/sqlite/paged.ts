import type { StoredEvent } from '../ledger.js';
import { nextTurn } from './next-turn.js';

export interface Page {
  readonly events: StoredEvent[];
  /** True when nothing follows, so that the next page need not be asked for. */
  readonly ended: boolean;
}

/**
 * Events page by page, each page read when it is needed. By hand and not as an async generator: `yield*` of a page takes three turns
 * of the microtask queue for each event.
 */
export function paged(
  limit = Number.MAX_SAFE_INTEGER,
  nextPage: (last: StoredEvent | undefined, left: number) => Page,
): AsyncIterable<StoredEvent> {
  return {
    [Symbol.asyncIterator]() {
      let page: StoredEvent[] = [];
      let at = 0;
      let left = limit;
      let last: StoredEvent | undefined;
      let ended = left <= 0;
      const done = { done: true, value: undefined } as const;

      function next(): IteratorResult<StoredEvent> {
        if (at === page.length) {
          if (ended) return done;
          const read = nextPage(last, left);
          page = read.events;
          at = 0;
          left -= page.length;
          last = page.at(-1);
          ended = read.ended || page.length === 0 || left <= 0;
          if (page.length === 0) return done;
        }
        const value = page[at]!;
        at += 1;
        return { done: false, value };
      }

      function stop(): void {
        ended = true;
        page = [];
        at = 0;
      }

      function settled(): Promise<IteratorResult<StoredEvent>> {
        try {
          return Promise.resolve(next());
        } catch (error) {
          stop();
          return Promise.reject(error);
        }
      }

      return {
        // Reading is synchronous: between two pages everything else of the process has its turn.
        next: () => (last && at === page.length && !ended ? nextTurn().then(settled) : settled()),
        return: () => {
          stop();
          return Promise.resolve(done);
        },
      };
    },
  };
}

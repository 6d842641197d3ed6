import type { FedEvent, Watermark } from '../feed/feed.js';

/** Events that were read and wait to be published, so that the ledger is read while Kafka is written. */
export interface ReadAhead {
  /** Waits while there is too much already. @param event undefined when it is passed and not relayed */
  add(event: FedEvent | undefined, to: Watermark, signal: AbortSignal): Promise<void>;
  /** Whether something has come within so many ms. */
  something(ms: number, signal: AbortSignal): Promise<boolean>;
  /** Waits so many ms, or until a flush is full. */
  settled(ms: number, signal: AbortSignal): Promise<void>;
  /** At most a flush's worth; there has to be something. */
  take(): { events: FedEvent[]; bytes: number; to: Watermark };
}

/** A flush takes so many events or bytes; as much again is read ahead of it. */
const mostEvents = 4_000;
const mostBytes = 4 * 1024 * 1024;

export function createReadAhead(from: Watermark | undefined): ReadAhead {
  let events: FedEvent[] = [];
  let bytes = 0;
  let to = from;
  let taken = from?.position;
  let wake = () => {};

  const isFull = () => events.length >= mostEvents || bytes >= mostBytes;

  /** Resolves at the next change, after so many ms, or when the signal aborts. */
  function change(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const before = wake;
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(done, ms);
      wake = () => {
        before();
        done();
      };
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  function changed(): void {
    const all = wake;
    wake = () => {};
    all();
  }

  async function until(isSo: () => boolean, ms: number, signal: AbortSignal): Promise<boolean> {
    const end = Date.now() + ms;
    for (;;) {
      if (isSo()) return true;
      const left = end - Date.now();
      if (signal.aborted || left <= 0) return false;
      await change(left, signal);
    }
  }

  return {
    async add(event, passed, signal) {
      if (isFull()) await until(() => !isFull(), Number.POSITIVE_INFINITY, signal);
      if (signal.aborted) return;
      const isFirst = to?.position === taken;
      if (event) {
        events.push(event);
        bytes += event.event.bytes.length;
      }
      to = passed;
      if (isFirst || isFull()) changed();
    },
    something: (ms, signal) => until(() => to?.position !== taken, ms, signal),
    settled: async (ms, signal) => {
      await until(isFull, ms, signal);
    },
    take() {
      const all = { events, bytes, to: to! };
      events = [];
      bytes = 0;
      taken = to?.position;
      changed();
      return all;
    },
  };
}

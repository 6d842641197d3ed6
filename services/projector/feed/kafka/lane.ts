import { setTimeout as sleep } from 'node:timers/promises';
import type { FedBatch } from '../feed.js';
import { joinRun, type Waiting } from './join-run.js';

/** What of one partition was fetched and is not applied yet, and its applying: one batch after the other. */
export interface Lane {
  push(messages: readonly Waiting[]): void;
  /** What waits was given up, and comes again. What is being applied goes on. */
  clear(): void;
  /** Kafka's offset after what was applied, since the last `clear`. */
  readonly done: string | undefined;
  /** Resolves when nothing is being applied any more. */
  idle(): Promise<void>;
}

export interface LaneOptions {
  readonly partition: number;
  apply(batch: FedBatch): Promise<void>;
  /** Fetching pauses, or goes on. */
  full(isFull: boolean): void;
  failed(error: unknown, tries: number): void;
  readonly signal: AbortSignal;
}

/** Fetching pauses above so many messages or bytes, and goes on below half of them. */
const mostMessages = 2_000;
const mostBytes = 2 * 1024 * 1024;

/** ms before a batch that was rejected is given again */
const pauseBefore = (tries: number) => Math.min(5_000, 100 * 2 ** Math.min(tries - 1, 10));

export function createLane({ partition, apply, full, failed, signal }: LaneOptions): Lane {
  let waiting: Waiting[] = [];
  let bytes = 0;
  let isFull = false;
  let done: string | undefined;
  let time = 0;
  let isRunning = false;
  let running = Promise.resolve();

  function weigh(): void {
    const share = Math.max(waiting.length / mostMessages, bytes / mostBytes);
    if (isFull ? share > 0.5 : share <= 1) return;
    isFull = !isFull;
    full(isFull);
  }

  async function run(): Promise<void> {
    for (let tries = 0; !signal.aborted; ) {
      const startedAt = time;
      const joined = joinRun(waiting, partition);
      if (!joined) break;
      try {
        await apply(joined.batch);
      } catch (error) {
        if (signal.aborted) break;
        tries += 1;
        failed(error, tries);
        await sleep(pauseBefore(tries), undefined, { signal }).catch(() => {});
        continue;
      }
      tries = 0;
      if (startedAt !== time) continue;
      done = joined.next;
      for (const each of waiting.splice(0, joined.messages)) bytes -= each.bytes;
      weigh();
    }
    isRunning = false;
  }

  return {
    push(messages) {
      for (const each of messages) {
        waiting.push(each);
        bytes += each.bytes;
      }
      weigh();
      if (isRunning) return;
      isRunning = true;
      running = run();
    },
    clear() {
      time += 1;
      waiting = [];
      bytes = 0;
      isFull = false;
      done = undefined;
    },
    get done() {
      return done;
    },
    idle: () => running,
  };
}

import { HindsightError } from '#contract/errors.js';
import type { AppendRequest } from '../append-request.js';
import type { Appended, Position } from '../ledger.js';
import { nextTurn } from './next-turn.js';

/** Runs `work` inside one transaction, once the write lock is had. */
export type Transaction = <T>(work: () => T) => Promise<T>;

/** What one transaction wrote. */
export interface Written {
  readonly last: Position | undefined;
  readonly events: number;
  readonly bytes: number;
}

interface Waiting {
  readonly request: AppendRequest;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What one transaction takes at most. The driver is synchronous, so a transaction is time in which nothing else runs;
 * a batch of 500 memories still shares one fsync.
 */
const groupEvents = 1000;
const groupBytes = 4 * 1024 * 1024;

export interface GroupCommit {
  append(request: AppendRequest): Promise<Appended>;
  /** Resolves when everything asked for so far has its outcome. */
  idle(): Promise<void>;
}

/**
 * Appends that are asked for in the same turn of the event loop, or while the lock is waited for, share one transaction and
 * one fsync; each has its own outcome. The next turn is awaited with setImmediate: promises that settle in this one can still
 * join, and an append that stands alone waits some microseconds only.
 */
export function groupCommit(
  transaction: Transaction,
  write: (request: AppendRequest) => Appended | HindsightError,
  afterwards: (written: Written) => Promise<void>,
): GroupCommit {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    await nextTurn();
    while (waiting.length > 0) await commit();
    running = undefined;
  }

  async function commit(): Promise<void> {
    let group: Waiting[] = [];
    try {
      const outcomes = await transaction(() => {
        // A try that found the file locked at COMMIT is repeated with the same appends and those that came meanwhile.
        waiting = [...group, ...waiting];
        const size = groupSize(waiting);
        group = waiting.slice(0, size);
        waiting = waiting.slice(size);
        return group.map((each) => write(each.request));
      });
      const written = { last: undefined as Position | undefined, events: 0, bytes: 0 };
      for (const [index, { request, resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]!;
        if (outcome instanceof HindsightError) reject(outcome);
        else resolve(outcome);
        if (outcome instanceof HindsightError || outcome.repeated) continue;
        written.last = outcome.position;
        written.events += request.events.length;
        written.bytes += bytesOf(request);
      }
      await afterwards(written);
    } catch (error) {
      // Before the lock was had nobody was taken: then all who wait learn it.
      const failed = group.length > 0 ? group : waiting.splice(0);
      for (const each of failed) each.reject(error);
    }
  }

  return {
    append: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject });
        running ??= run();
      }),
    idle: async () => running,
  };
}

function groupSize(waiting: readonly Waiting[]): number {
  let events = 0;
  let bytes = 0;
  for (const [index, { request }] of waiting.entries()) {
    events += request.events.length;
    bytes += bytesOf(request);
    if (index > 0 && (events > groupEvents || bytes > groupBytes)) return index;
  }
  return waiting.length;
}

function bytesOf({ events }: AppendRequest): number {
  let bytes = 0;
  for (const event of events) bytes += event.bytes.byteLength;
  return bytes;
}

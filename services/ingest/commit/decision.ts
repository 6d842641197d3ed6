import type { ErrorCode } from '#contract/errors.js';
import { HindsightError } from '#contract/errors.js';
import type { MemoryEvent } from '#events/catalogue.js';

/** What stands in an event's envelope because of the command, the caller and the ledger apart. */
export interface EventOrigin {
  /** Given where the id must be the same at every try; a fresh one otherwise. */
  readonly id?: string;
  readonly request?: { readonly key: string; readonly print: string };
  readonly session?: string;
  readonly task?: string;
  readonly step?: string;
  readonly trust?: number;
  /** Names of the people whose secrets the content key needs. */
  readonly subjects?: readonly string[];
  /** Their keyed hashes, where the names are not known. */
  readonly subjectHashes?: readonly string[];
}

/**
 * What a command means for a memory: an event and the answer once it is stored, an answer for which nothing need be
 * stored, or an error.
 */
export type Decision<A> =
  | { readonly is: 'event'; readonly event: MemoryEvent; readonly origin: EventOrigin; readonly answer: A }
  | { readonly is: 'answer'; readonly answer: A }
  | { readonly is: 'refusal'; readonly error: HindsightError };

export function decide<A>(event: MemoryEvent, origin: EventOrigin, answer: A): Decision<A> {
  return { is: 'event', event, origin, answer };
}

export function answer<A>(given: A): Decision<A> {
  return { is: 'answer', answer: given };
}

export function refuse(
  code: ErrorCode,
  sentence: string,
  details?: Readonly<Record<string, unknown>>,
): { readonly is: 'refusal'; readonly error: HindsightError } {
  return { is: 'refusal', error: new HindsightError(code, sentence, details) };
}

/** A repeated request with other contents: nothing of it is done. */
export function keyReused(memoryId: string): { readonly is: 'refusal'; readonly error: HindsightError } {
  return refuse('idempotency_key_reused', 'This idempotency key came with another request before.', {
    memory_id: memoryId,
  });
}

export function memoryNotFound(memoryId: string, parameter = 'memory_id') {
  const shown = memoryId.length > 80 ? `${memoryId.slice(0, 80)}…` : memoryId;
  return refuse('memory_not_found', `${parameter} is ${JSON.stringify(shown)}: this bank has no such memory.`, {
    [parameter]: shown,
  });
}

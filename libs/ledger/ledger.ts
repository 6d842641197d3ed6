import type { EncodedEvent } from '#events/envelope.js';

/**
 * A place in the global order. Opaque: only its adapter makes one, and positions of one ledger sort as text.
 * Nobody computes with it.
 */
export type Position = string;

/** What a stream must look like for an append to happen: not there yet, or last written at this revision (0, 1, …). */
export type ExpectedRevision = 'no_stream' | number;

export interface StoredEvent extends EncodedEvent {
  readonly position: Position;
}

export interface Appended {
  /** Position of the append's last event. */
  readonly position: Position;
  /** Revision of the append's last event. */
  readonly revision: number;
  /** True when the same events were already there: an earlier try succeeded and its answer was lost. */
  readonly repeated: boolean;
}

export interface CaughtUp {
  readonly caughtUp: true;
  /** Everything up to here was delivered; undefined when the ledger is empty. */
  readonly position: Position | undefined;
}

/** One append takes at most this many bytes of events (bytes + 64 each): EventStoreDB refuses 1 MiB, envelope included. */
export const maxAppendBytes = 768 * 1024;

/**
 * Where events are kept. Adapters pass ledger.contract.ts, unchanged.
 *
 * Errors (HindsightError): `wrong_expected_revision` with details {stream, expected, actual}, where actual is 'no_stream'
 * or the revision found · `append_too_large` with {bytes, limit} · `ledger_corrupt` with {position?} ·
 * `ledger_read_only` · `ledger_busy` · `disk_full` · `not_writable`.
 */
export interface Ledger {
  /** Lower-case letters and digits; part of every stream's name. */
  readonly id: string;

  /**
   * Where it may be lost and put back (from a backup, say): tells this place from others of the same ledger. A position of one means
   * nothing in another. Letters and digits.
   */
  readonly place?: string;

  /** Set where appends to several streams that are made at the same time may be stored in another order than they were made in. */
  readonly scattersAppends?: true;

  /**
   * Appends all events to one stream, or none. Events carry the revisions that follow `expected`.
   * Durable when the promise resolves. Appends made at the same time may share one fsync; each has its own outcome.
   * The same event ids at the same expected revision again, from any process, answer as the first time (`repeated`).
   * An event id that stands elsewhere in the ledger is refused with `idempotency_key_reused`, where the adapter can tell.
   */
  append(stream: string, events: readonly EncodedEvent[], expected: ExpectedRevision): Promise<Appended>;

  /** Events of one stream, from a revision (inclusive); forward by default, backward from the end by default. Empty for no stream. */
  readStream(
    stream: string,
    options?: { from?: number; direction?: 'forward' | 'backward'; limit?: number },
  ): AsyncIterable<StoredEvent>;

  /** All events after (forward) or before (backward) a position, exclusive; from the beginning or the end without one. */
  readAll(options?: {
    after?: Position;
    before?: Position;
    direction?: 'forward' | 'backward';
    limit?: number;
  }): AsyncIterable<StoredEvent>;

  /** All events after a position, then a caught-up mark, then what comes, with further marks after each pause; ends when the signal aborts. */
  subscribeAll(after: Position | undefined, signal: AbortSignal): AsyncIterable<StoredEvent | CaughtUp>;

  /** Position of the last event; undefined for an empty ledger. Cheap enough to ask before every query. */
  head(): Promise<Position | undefined>;

  close(): Promise<void>;
}

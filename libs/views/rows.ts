import type { MemoryKind, MemoryOrigin } from '#events/version-fields.js';
import type { Position } from '#ledger/ledger.js';

/**
 * A bank's moment: its n-th event that changed an answer (1, 2, …). Views count in `seq` and never in positions, so that
 * rows are byte-identical after a rebuild or on another ledger adapter; this row ties the two together.
 */
export interface MomentRow {
  readonly bank: string;
  readonly seq: number;
  readonly position: Position;
  readonly eventId: string;
  /** Hash of the event, base64url. */
  readonly hash: string;
  /** Running maximum of recorded times in global order, up to this event. */
  readonly systemTime: string;
}

/** Where a box came from: what its associated data and its key need. */
export interface BoxOrigin {
  readonly stream: string;
  readonly eventId: string;
  readonly type: string;
  readonly schema: number;
  readonly recordedAt: string;
  /** Keyed hashes of subjects. */
  readonly subjects: readonly string[];
}

/** One event of a memory, with the event's own box: what history is told from. Versions have `version` set and `doc` too. */
export interface ChangeRow extends BoxOrigin {
  readonly bank: string;
  readonly memoryId: string;
  readonly seq: number;
  readonly principal: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly box?: string;
  readonly version?: number;
}

/** A version: immutable once written. `doc` numbers the versions of a bank, 0, 1, …, in the order of their events. */
export interface VersionRow extends ChangeRow {
  readonly doc: number;
  readonly version: number;
  readonly box: string;
  readonly kind: MemoryKind;
  readonly origin: MemoryOrigin;
  readonly occurredAt?: string;
  readonly validFrom: string;
  readonly validTo?: string;
  readonly expiresAt?: string;
  readonly importance?: number;
  readonly confidence?: number;
  readonly trust?: number;
  readonly sessionId?: string;
  readonly taskId?: string;
  readonly step?: string;
  readonly derivedFrom: readonly string[];
}

/**
 * How what a memory said was held then. `erased` is written over whatever it was before: what is erased has no past either, but for when
 * and that it was there.
 */
export type SpanStatus = 'current' | 'retracted' | 'archived' | 'quarantined' | 'erased';

/**
 * A rectangle in both times: this version held from validFrom to validTo (milliseconds, Infinity when open), as the ledger
 * knew from moment seqFrom (inclusive) to seqTo (exclusive, Infinity while known).
 */
export interface SpanRow {
  readonly memoryId: string;
  readonly doc: number;
  readonly version: number;
  readonly status: SpanStatus;
  readonly validFrom: number;
  readonly validTo: number;
  readonly seqFrom: number;
  readonly seqTo: number;
  readonly systemFrom: string;
  readonly systemTo?: string;
}

/**
 * What of a version the index needs in memory, one per doc. `expiresAt` in milliseconds, Infinity when it never expires. What is drawn from
 * the content (length, speaker, flags, entities, keyLength) is gone of what was erased, expiry with it.
 */
export interface DocRow {
  readonly doc: number;
  readonly memoryId: string;
  readonly version: number;
  /** Number of terms. */
  readonly length: number;
  readonly expiresAt: number;
  readonly kind: MemoryKind;
  readonly origin: MemoryOrigin;
  readonly sessionId?: string;
  /** When it happened, else when it was recorded; milliseconds. */
  readonly at: number;
  /** Keyed hash (`speakerTerm`). */
  readonly speaker?: string;
  /** Bits of `docFlags`. */
  readonly flags: number;
  /** These three as they were written. */
  readonly importance?: number;
  readonly confidence?: number;
  readonly trust?: number;
  /** Keyed hashes of the names that it is about: those that its postings have for the field `entity`. At most 32. */
  readonly entities: readonly string[];
  /** Distinct terms of its key; 0 without one. */
  readonly keyLength: number;
}

/** One answer that was given. `box` holds the sealed question; unset once a memory that was served is erased. */
export interface RecallRow extends BoxOrigin {
  readonly bank: string;
  /** Numbers the bank's answers in the order of their events; with gaps. */
  readonly recallNo: number;
  readonly recallId: string;
  /** Of its event. */
  readonly position: Position;
  readonly sessionId?: string;
  readonly taskId?: string;
  readonly step?: string;
  readonly principal: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly askedAt: string;
  readonly validAt?: string;
  /** Position of the basis that it rested on, as it was then: another adapter of the ledger has others. */
  readonly basisPosition?: string;
  readonly tookMs: number;
  /** As they were ranked. */
  readonly items: readonly { readonly memoryId: string; readonly version: number; readonly score: number }[];
  /** Id of the secret that its box needs. */
  readonly secretId?: string;
  readonly box?: string;
}

/** Current state of one memory at the head. */
export interface MemoryRow {
  readonly bank: string;
  readonly memoryId: string;
  readonly status: SpanStatus;
  readonly version: number;
  readonly kind: MemoryKind;
  readonly keyHash?: string;
  /** Stream revision of the memory's last event. */
  readonly revision: number;
  readonly seq: number;
  readonly expiresAt?: string;
}

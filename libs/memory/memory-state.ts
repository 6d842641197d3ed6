import type { AnsweredRequests } from './answered-requests.js';
import type { VersionState } from './version-state.js';

/** Milliseconds since the epoch; Infinity where an interval is open. */
export type Millis = number;

/** A stretch of valid time, half-open, in which one version is what the ledger says now. */
export interface ValidSpan {
  readonly version: number;
  readonly from: Millis;
  readonly to: Millis;
}

/**
 * How a memory stands by what was done to it. `retracted`: taken back · `archived`: laid aside, true as far as anybody knows · `quarantined`:
 * held back until somebody has looked · `erased`: what it said before cannot be opened any more. Superseded and expired are no
 * standing of a memory: they follow from its versions and the moment.
 */
export type MemoryStatus = 'absent' | 'current' | 'retracted' | 'archived' | 'quarantined' | 'erased';

/** The fold of one memory's stream. `absent` is a memory that was never written. */
export interface MemoryState {
  readonly memoryId: string;
  readonly status: MemoryStatus;
  /** Number of versions so far. */
  readonly version: number;
  /** Revision of the stream's last event; -1 when absent. */
  readonly revision: number;
  /** Hash (base64url) of the stream's last event; null when absent. */
  readonly lastHash: string | null;
  readonly lastRecordedAt: Millis;
  readonly latest?: VersionState;
  /** What holds when, by today's knowledge: disjoint, ordered by `from`. */
  readonly spans: readonly ValidSpan[];
  readonly answered: AnsweredRequests;
  /** Number of the last version that an erasure took; what came before it went with it. */
  readonly erasedThrough?: number;
}

import type { AuditInput, AuditRow } from '#contract/audit.js';
import type { Caller } from '#contract/caller.js';
import type { HeldBack } from '../basis/held-back.js';
import type { View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';

/** A row and its place in the order of its audit. */
export interface Placed {
  readonly place: number;
  readonly row: AuditRow;
}

/** What the rows of an audit are made from. */
export interface Asked {
  readonly deps: QueryDeps;
  readonly view: View;
  readonly input: AuditInput;
  readonly caller: Caller;
  readonly held: HeldBack;
  /** The one memory that is asked about, where one is. */
  readonly memoryId?: string;
  /** Rows after this place; -1 for all. */
  readonly after: number;
  /** Rows that are wanted: what is read ahead of them is wasted. */
  readonly limit: number;
}

/** Rows read and opened at a time: enough to share a round trip and the turns of the event loop, and no more than are wanted. */
export function atOnce({ limit }: Pick<Asked, 'limit'>): number {
  return Math.min(limit + 1, 500);
}

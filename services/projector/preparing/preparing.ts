import type { Position } from '#ledger/ledger.js';
import type { PreparedSlice } from '../fold/project-batch.js';
import type { PackedSlice } from './prepared-slice.js';

/** Reads, opens and cuts the events of a rebuild ahead of whoever folds them, elsewhere than in this thread. */
export interface PreparedAhead {
  /**
   * The events after a position, prepared; those behind them are on their way. Undefined where it cannot be had, for whatever reason: then
   * whoever asks prepares them, and meets what is wrong.
   */
  next(after: Position | undefined, target: Position): Promise<PreparedSlice | undefined>;
  close(): Promise<void>;
}

/** Events per slice, and the bytes that it ends after. */
export interface SliceSize {
  readonly events: number;
  readonly bytes: number;
}

/** What a preparing thread is told. */
export type Told =
  /** Prepare from here on; what was begun before is not needed any more. */
  | { readonly begin: number; readonly after: Position | undefined; readonly target: Position }
  /** One slice was taken. */
  | { readonly taken: number }
  /** Nothing more is needed. */
  | { readonly end: true };

/** What it answers: the slices of a run, one after the other; none after one that failed. */
export type Answered = { readonly run: number; readonly slice: PackedSlice | undefined };

/** What it is made with. */
export interface Preparation {
  /** Names of the projections. */
  readonly projections: readonly string[];
  readonly size: SliceSize;
}

/** Slices that lie ready, beside the one in the making: what is drawn from them is some twenty times as large as they are. */
export const slicesAhead = 2;

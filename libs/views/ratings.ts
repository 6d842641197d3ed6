import type { RatingOutcome } from '#events/memory-rated.js';

/** One rating of a version of a memory. */
export interface RatingRow {
  readonly seq: number;
  readonly memoryId: string;
  readonly version: number;
  readonly principal: string;
  readonly outcome: RatingOutcome;
  /** The answer that it was served in. */
  readonly recallId?: string;
  /** When it was recorded (ISO, UTC). */
  readonly at: string;
}

export interface RatingReader {
  /** Ratings of the moments after `seq`, ascending; all for 0. Those of what was erased are gone. */
  ratingsAfter(bank: string, seq: number): Promise<RatingRow[]>;
}

/** A row of the table `ratings`, as every adapter reads it. */
export type RatingCells = readonly [number, string, number, string, string, string | null, string];

export const ratingColumns = 'seq, memory_id, version, principal, outcome, recall_id, at';

export function toRating([seq, memoryId, version, principal, outcome, recallId, at]: RatingCells): RatingRow {
  return {
    seq,
    memoryId,
    version,
    principal,
    outcome: outcome as RatingOutcome,
    ...(recallId === null ? {} : { recallId }),
    at,
  };
}

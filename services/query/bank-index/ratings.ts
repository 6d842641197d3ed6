import { feedbackWeight } from '#memory/feedback-weight.js';
import type { RatingRow } from '#views/ratings.js';

/** How the memories of one bank have fared, at any moment that was loaded. */
export interface BankRatings {
  /** Takes note of ratings that were loaded; the same again changes nothing. */
  note(rows: readonly RatingRow[]): void;
  /** The weight of a version by all ratings up to a moment, −1 to 1; undefined where nobody had rated it. */
  weightAt(memoryId: string, version: number, seq: number): number | undefined;
  /** Ids of the memories that anybody has rated. */
  rated(): Iterable<string>;
  /** The rating that was given at a moment. */
  givenAt(memoryId: string, seq: number): RatingRow | undefined;
}

export function bankRatings(): BankRatings {
  const byMemory = new Map<string, Map<number, RatingRow>>();
  return {
    note(rows) {
      for (const row of rows) {
        const own = byMemory.get(row.memoryId) ?? new Map<number, RatingRow>();
        own.set(row.seq, row);
        byMemory.set(row.memoryId, own);
      }
    },
    weightAt(memoryId, version, seq) {
      const own = byMemory.get(memoryId);
      if (!own) return undefined;
      const upTo = [...own.values()].filter((row) => row.seq <= seq).map((row) => ({ ...row, order: row.seq }));
      return feedbackWeight(upTo, version);
    },
    rated: () => byMemory.keys(),
    givenAt: (memoryId, seq) => byMemory.get(memoryId)?.get(seq),
  };
}

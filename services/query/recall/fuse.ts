import type { Candidate } from './legs/leg.js';

/** A version with its place in the answer and in each leg that found it. */
export interface Ranked {
  readonly doc: number;
  readonly score: number;
  readonly legs: Readonly<Record<string, { readonly rank: number; readonly score: number }>>;
  readonly matched: readonly string[];
}

/** One ranking out of those of the legs. Of a single leg, its own: scores are 0 to 1 already. */
export function fuse(found: { readonly leg: string; readonly candidates: readonly Candidate[] }): Ranked[] {
  return found.candidates.map(({ doc, score, matched }, at) => ({
    doc,
    score,
    legs: { [found.leg]: { rank: at + 1, score } },
    matched,
  }));
}

/** A term and how often it occurs. Terms are what both databases index; neither cuts text itself (DESIGN §8). */
export type TermCounts = ReadonlyMap<string, number>;

export interface AnalysedText {
  readonly counts: TermCounts;
  /** Number of terms, repetitions included: the length that BM25 normalises by. */
  readonly length: number;
}

export interface AnalysedQuestion {
  /** Content terms and how often each was asked for; empty when the question has no content word. */
  readonly counts: TermCounts;
}

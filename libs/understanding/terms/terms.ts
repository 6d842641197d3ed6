/** A term and how often it occurs. Terms are what is indexed; no database cuts text itself. */
export type TermCounts = ReadonlyMap<string, number>;

export interface AnalysedText {
  readonly counts: TermCounts;
  /** Number of terms, repetitions included: the length that BM25 normalises by. */
  readonly length: number;
}

export interface AnalysedQuestion {
  /** Content terms and how often each was asked for; empty when the question has no content word. */
  readonly counts: TermCounts;
  /** The terms of which one must occur in a memory for it to be an answer: single characters of longer words are none. */
  readonly telling: ReadonlySet<string>;
  /** How each term was written in the question. */
  readonly words: ReadonlyMap<string, string>;
}

/** Part of every recipe: another version cuts text otherwise, so an index of one is not asked with the other. */
export const termPipelineVersion = 2;

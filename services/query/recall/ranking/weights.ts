import type { FeatureName } from './features.js';

/** A logistic model: the chance that a candidate helps is 1 / (1 + e^−(intercept + Σ weight · feature)). */
export interface Weights {
  readonly intercept: number;
  readonly of: Readonly<Partial<Record<FeatureName, number>>>;
  /** Below this chance a candidate is left out, unless the question says otherwise (`min_score`). */
  readonly cut: number;
}

/** With vectors, and for docs that have none. */
export interface FormWeights {
  readonly vectors: Weights;
  readonly keywords: Weights;
}

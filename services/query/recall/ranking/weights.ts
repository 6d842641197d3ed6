import type { FeatureName } from './features.js';
import type { Form } from './form.js';

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

const byHand: FormWeights = {
  vectors: {
    intercept: -8,
    of: {
      words: 1,
      wordsInContext: 1,
      coverageInContext: 3,
      meaning: 2,
      meaningStands: 2,
      session: 1,
      length: 1,
      isQuestion: -1,
      partsOfWords: 0.5,
      names: 0.5,
    },
    cut: 0.05,
  },
  keywords: {
    intercept: -6,
    of: {
      words: 1,
      wordsInContext: 1,
      coverageInContext: 4,
      session: 1,
      length: 1,
      isQuestion: -1,
      partsOfWords: 0.5,
      names: 0.5,
    },
    cut: 0.05,
  },
};

export const learned: Readonly<Record<Form, FormWeights>> = {
  turn: byHand,
  message: byHand,
  fact: byHand,
  passage: byHand,
};

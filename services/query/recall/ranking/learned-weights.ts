import type { Form } from './form.js';
import type { FormWeights } from './weights.js';

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

/** Set by hand until they are learned. */
export const learned: Readonly<Record<Form, FormWeights>> = {
  turn: byHand,
  message: byHand,
  fact: byHand,
  passage: byHand,
};

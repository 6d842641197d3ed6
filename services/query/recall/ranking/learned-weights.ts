import type { Form } from './form.js';
import type { FormWeights } from './weights.js';

/**
 * What each feature adds to the sum of a candidate, per form of memory: learned over the candidates of `npm run bench -- tune` (docs/recall.md
 * says from what, and what they come to in cross-validation).
 */
export const learned: Readonly<Record<Form, FormWeights>> = {
  /** Fitted on LoCoMo (997 questions). */
  turn: {
    vectors: {
      intercept: -11.7,
      of: {
        wordsInContext: 1.85,
        coverageInContext: 2.09,
        wordsBefore: -0.75,
        partsOfWords: 0.12,
        meaningStands: 1.3,
        meaningAfter: 1.36,
        meaningBefore: 0.25,
        session: 3.01,
        sessionAndFit: 1.95,
        length: 2.48,
        isQuestion: -1.07,
        speakerNamed: 0.28,
        otherSpeakerNamed: -0.76,
        tellsTime: 0.82,
        tellsNumber: 0.9,
        inTime: 0.98,
      },
      cut: 0.015,
    },
    keywords: {
      intercept: -10.74,
      of: {
        wordsInContext: 2.62,
        coverageInContext: 3.4,
        wordsBefore: -0.55,
        partsOfWords: 0.21,
        session: 3.26,
        sessionAndFit: 1.8,
        length: 1.88,
        isQuestion: -1.07,
        speakerNamed: 0.55,
        otherSpeakerNamed: -0.52,
        tellsTime: 0.86,
        tellsNumber: 0.92,
        inTime: 1.06,
        names: 0.21,
      },
      cut: 0.015,
    },
  },
  /** Fitted on BEAM 100K (160), with a feature for wishes (docs/decisions/0024). */
  message: {
    vectors: {
      intercept: -6.75,
      of: {
        words: 2.64,
        wordsInContext: 0.22,
        wordsBefore: -0.93,
        wordsAfter: 0.53,
        partsOfWords: 0.34,
        meaningStands: 0.66,
        meaningCosine: 1.05,
        meaningAfter: 1.94,
        sessionAndFit: 0.62,
        length: -1.85,
        saidByAsker: 1.04,
        tellsWish: 0.97,
        tellsWishAsked: 0.48,
        tellsNumber: 0.57,
        bestMeaning: 0.2,
      },
      cut: 0.02,
    },
    keywords: {
      intercept: -4.84,
      of: {
        words: 2.92,
        wordsBefore: -0.83,
        wordsAfter: 1.14,
        partsOfWords: 0.38,
        sessionAndFit: 1.61,
        length: -2.26,
        saidByAsker: 0.86,
        tellsWish: 0.92,
        tellsWishAsked: 0.64,
        tellsNumber: 0.64,
        inTime: 0.12,
        names: 0.27,
      },
      cut: 0.02,
    },
  },
  /** Fitted on KdConv (2,061 questions, in Chinese) and 101 of TimeQA's (in English), whose candidates count a third as much; not by `tune` itself (docs/decisions/0024). */
  note: {
    vectors: {
      intercept: -12.63,
      of: {
        wordsInContext: 1.6,
        wordsBefore: -1.18,
        meaningStands: 0.51,
        meaningBefore: 0.61,
        session: 6.46,
        sessionAndFit: 2.09,
        length: 0.17,
        recency: 0.4,
      },
      cut: 0.005,
    },
    keywords: {
      intercept: -9.69,
      of: {
        wordsInContext: 1.26,
        wordsBefore: -0.65,
        session: 4.62,
        sessionAndFit: 2.07,
        length: -0.17,
        recency: 0.39,
      },
      cut: 0.005,
    },
  },
  /** Fitted on SituatedQA (a sixth of 2,310) and this repository's own sets across languages (100) and for precision (200), each set with the same weight. */
  fact: {
    vectors: {
      intercept: -9.47,
      of: {
        words: 1.28,
        coverage: 1.16,
        coverageInContext: 0.6,
        wordsBefore: -1.65,
        meaning: 5.83,
        meaningStands: 2.01,
        meaningCosine: 2.72,
        meaningAcross: 3.3,
        meaningAcrossBesideOwn: -2.43,
        meaningAfter: 0.29,
        length: -2.5,
        tellsTime: 0.53,
        inTime: 0.3,
        nearTime: 0.35,
        key: 1.26,
        tags: 1.97,
        recency: 0.19,
      },
      cut: 0.01,
    },
    keywords: {
      intercept: -12.83,
      of: {
        words: 4.07,
        wordsInContext: 2.52,
        coverage: 4.57,
        coverageInContext: 4.21,
        wordsBefore: 1.07,
        wordsAfter: 0.1,
        partsOfWords: 0.5,
        length: 2.56,
        tellsTime: 0.68,
        nearTime: 0.2,
        key: 0.81,
        tags: 3.42,
        bestCoverage: 2.15,
      },
      cut: 0.01,
    },
  },
  /** By hand, and mild: no labelled set of passages was learned from. */
  passage: {
    vectors: {
      intercept: -5,
      of: { words: 2.5, coverage: 2, meaning: 2.5, meaningStands: 1, key: 1, tags: 1 },
      cut: 0.02,
    },
    keywords: {
      intercept: -4,
      of: { words: 3, coverage: 4, key: 1, tags: 1 },
      cut: 0.02,
    },
  },
};

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
  /** Fitted on BEAM 100K (160). */
  message: {
    vectors: {
      intercept: -6.37,
      of: {
        words: 2.49,
        wordsInContext: 0.22,
        coverage: 0.1,
        wordsBefore: -0.75,
        wordsAfter: 0.62,
        partsOfWords: 0.32,
        meaning: 1.0,
        meaningStands: 0.49,
        meaningAfter: 1.93,
        sessionAndFit: 0.75,
        length: -2.05,
        isQuestion: -0.06,
        saidByAsker: 1.09,
        tellsNumber: 0.5,
        names: 0.16,
      },
      cut: 0.02,
    },
    keywords: {
      intercept: -5.4,
      of: {
        words: 3.03,
        wordsInContext: 0.05,
        coverage: 0.14,
        wordsBefore: -0.5,
        wordsAfter: 1.21,
        partsOfWords: 0.65,
        sessionAndFit: 1.04,
        length: -2.04,
        saidByAsker: 1.26,
        tellsNumber: 0.65,
        inTime: 0.09,
        names: 0.75,
      },
      cut: 0.02,
    },
  },
  /** Fitted on KdConv (every second of 2,063, in Chinese). */
  note: {
    vectors: {
      intercept: -12.55,
      of: {
        wordsInContext: 0.28,
        wordsBefore: -0.39,
        partsOfWords: 0.39,
        meaning: 0.24,
        meaningStands: 1.19,
        meaningAfter: 0.28,
        session: 4.85,
        sessionAndFit: 1.64,
        length: 0.77,
        isQuestion: -0.08,
        tellsTime: 0.61,
        tellsNumber: 0.06,
        names: 1.39,
        recency: 0.64,
        bestMeaning: 0.53,
      },
      cut: 0.005,
    },
    keywords: {
      intercept: -8.56,
      of: {
        wordsBefore: -0.27,
        wordsAfter: 0.22,
        partsOfWords: 0.6,
        session: 4.1,
        sessionAndFit: 1.94,
        length: -0.32,
        nearTime: 0.5,
        names: 1.58,
        recency: 0.49,
      },
      cut: 0.005,
    },
  },
  /** Fitted on SituatedQA (a sixth of 2,310) and this repository's own sets across languages (100) and for precision (200), each set with the same weight. */
  fact: {
    vectors: {
      intercept: -15.44,
      of: {
        coverage: 2.42,
        coverageInContext: 1.84,
        wordsBefore: -1.43,
        meaning: 9.84,
        meaningStands: 2.9,
        meaningAfter: 0.06,
        length: 2.52,
        tellsTime: 0.14,
        inTime: 0.16,
        nearTime: 0.23,
        key: 0.84,
        tags: 1.96,
        recency: 0.62,
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

import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '#events/canonical.js';
import { termPipelineVersion } from '#understanding/terms/terms.js';
import { understandingVersion } from '#understanding/understanding-version.js';
import { learned } from './ranking/learned-weights.js';

/**
 * Everything that decides an answer besides the question and the memories. A basis names its recipe, so changing a number
 * here ends the bases given out before: change it with a measurement (npm run bench -- quality).
 */
export const recipe = {
  termPipeline: termPipelineVersion,
  understanding: understandingVersion,
  /** Of what candidates are picked and weighed by (ranking/). */
  ranking: 2,
  weights: learned,
  /**
   * The chance that a bank holds an answer at all, from the best candidate's sum and how well anything fits, and below what nothing is
   * said. Fitted on LoCoMo, BEAM and bench/sets, with a third of their questions asked in another conversation too.
   */
  answer: {
    intercept: -1.15,
    of: { odds: 0.33, bestCoverage: 1.6, bestInContext: 1.62, nearest: 2.97 },
    cut: 0.35,
  },
  /**
   * Of the best one's chance, what a candidate has to have to be served beside it, by the form of the best, and where languages differ. What it brings
   * and costs on each set: docs/decisions/0024. Turns and messages answer together, and notes of a session: a tenth would cost LoCoMo .03 of its recall, and
   * KdConv .02.
   */
  besideBest: { share: { turn: 0, message: 0, note: 0, hanNote: 0, fact: 0.3, passage: 0 }, across: 0.1 },
  bm25: {
    k1: 0.9,
    /**
     * Length says little in a bank of short memories and much in one of long messages, so b follows the bank's average length
     * in terms: bShort up to shortTo, bLong from longFrom, in proportion between. Choosing it per memory instead favours
     * the short ones of a bank: R@5 on BEAM .219 against .293, on KdConv .140 against .163 (docs/decisions).
     */
    bShort: 0.2,
    bLong: 0.75,
    shortTo: 60,
    longFrom: 120,
  },
} as const;

/** Names the recipe in a basis. */
export const recipeId = createHash('sha256')
  .update(canonicalJson(JSON.parse(JSON.stringify(recipe)) as Json))
  .digest('hex')
  .slice(0, 16);

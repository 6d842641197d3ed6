import type { TermPostings } from '../../bank-index/term-postings.js';
import type { Visibility } from '../../bank-index/visibility.js';
import { recipe } from '../recipe.js';

/** A term of the question, with where it occurs. */
export interface AskedTerm {
  /** How often the question has it. */
  readonly asked: number;
  /** Whether its occurrence alone makes a memory relevant. */
  readonly telling: boolean;
  readonly postings: TermPostings;
}

/** Docs that were found, in no order, and the score of each. */
export interface Scored {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
}

/** Sums per doc, all zero between questions: clearing what was touched is cheaper than a new array per question. */
let sums = new Float64Array(0);
let touched = new Int32Array(0);

/**
 * BM25 (Robertson and Zaragoza 2009) with idf ln(1 + (N − df + .5) / (df + .5)), divided by what a memory made of nothing
 * but the question would reach in the limit. N, df and the average length are those of the memories current at the basis,
 * before any filter. Terms are added in the order given, so the same basis gives the same bits.
 * @param lengths number of terms per doc
 * @param eligible 1 for each doc that may be found
 */
export function bm25(
  terms: readonly AskedTerm[],
  lengths: Int32Array,
  basis: Visibility,
  eligible: Uint8Array,
): Scored {
  const { k1 } = recipe.bm25;
  const averageLength = basis.count > 0 && basis.totalLength > 0 ? basis.totalLength / basis.count : 1;
  const b = lengthWeight(averageLength);
  const flat = k1 * (1 - b);
  const sloped = (k1 * b) / averageLength;
  if (sums.length < eligible.length) {
    sums = new Float64Array(eligible.length * 2);
    touched = new Int32Array(eligible.length * 2);
  }
  let found = 0;
  let ideal = 0;
  for (const { asked, telling, postings } of inOrder(terms)) {
    const weight = asked * idf(basis, postings) * (k1 + 1);
    ideal += weight;
    const { docs, counts } = postings;
    for (let at = 0; at < docs.length; at++) {
      const doc = docs[at]!;
      if (eligible[doc] !== 1) continue;
      const sum = sums[doc]!;
      if (sum === 0) {
        if (!telling) continue;
        touched[found++] = doc;
      }
      const count = counts[at]!;
      sums[doc] = sum + (weight * count) / (count + flat + sloped * lengths[doc]!);
    }
  }
  const docs = touched.slice(0, found);
  const scores = new Float64Array(found);
  for (let at = 0; at < found; at++) {
    const doc = docs[at]!;
    scores[at] = sums[doc]! / ideal;
    sums[doc] = 0;
  }
  return { docs, scores };
}

/** How much a memory's length counts, by what is usual in its bank. */
export function lengthWeight(averageLength: number): number {
  const { bShort, bLong, shortTo, longFrom } = recipe.bm25;
  const share = Math.min(1, Math.max(0, (averageLength - shortTo) / (longFrom - shortTo)));
  return bShort + (bLong - bShort) * share;
}

/** Telling terms first: what they do not find, the others do not add to. */
function inOrder(terms: readonly AskedTerm[]): AskedTerm[] {
  return [...terms.filter((each) => each.telling), ...terms.filter((each) => !each.telling)];
}

function idf({ count, isCurrent }: Visibility, { docs }: TermPostings): number {
  let found = 0;
  for (let at = 0; at < docs.length; at++) if (isCurrent[docs[at]!] === 1) found++;
  return Math.log(1 + (count - found + 0.5) / (found + 0.5));
}

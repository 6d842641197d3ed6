import type { TermPostings } from '../../bank-index/term-postings.js';
import { standing, type Visibility } from '../../bank-index/visibility.js';
import { recipe } from '../recipe.js';

/** A term of the question, with where it occurs. */
export interface AskedTerm {
  /** How often the question has it. */
  readonly asked: number;
  /** Whether its occurrence alone makes a memory relevant. */
  readonly telling: boolean;
  readonly postings: TermPostings;
}

export interface Scored {
  /** Docs that were found, in no order. */
  readonly docs: readonly number[];
  /** Per doc: Σ over terms, divided by what a memory made of nothing but the question would reach in the limit. */
  readonly score: (doc: number) => number;
}

/**
 * BM25 (Robertson and Zaragoza 2009) with idf ln(1 + (N − df + .5) / (df + .5)). N, df and the average length are those of
 * the memories current at the basis, before any filter. Terms are added in the order given, so the same basis gives the same bits.
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
  const sums = new Float64Array(eligible.length);
  const docs: number[] = [];
  let ideal = 0;
  for (const { asked, telling, postings } of inOrder(terms)) {
    const weight = asked * idf(basis, postings) * (k1 + 1);
    ideal += weight;
    for (let at = 0; at < postings.docs.length; at++) {
      const doc = postings.docs[at]!;
      if (!eligible[doc]) continue;
      const sum = sums[doc]!;
      if (sum === 0) {
        if (!telling) continue;
        docs.push(doc);
      }
      const count = postings.counts[at]!;
      sums[doc] = sum + (weight * count) / (count + k1 * (1 - b + (b * lengths[doc]!) / averageLength));
    }
  }
  return { docs, score: (doc) => sums[doc]! / ideal };
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

function idf(basis: Visibility, postings: TermPostings): number {
  let found = 0;
  const { docs } = postings;
  for (let at = 0; at < docs.length; at++) if (basis.standing[docs[at]!] === standing.current) found++;
  return Math.log(1 + (basis.count - found + 0.5) / (found + 0.5));
}

import type { Columns } from '../../bank-index/columns.js';
import { toldOnce, toldOncePerTerm } from '../../bank-index/told-once.js';
import type { Visibility } from '../../bank-index/visibility.js';
import type { HashedTerm } from '../ranking/read-terms.js';
import { recipe } from '../recipe.js';
import { roomFor } from './scratch.js';

/** What the words of a question say of each doc. Scratch of this process: read before the next question is scored. */
export interface KeywordScores {
  /** Docs that hold a telling word, or follow on one in their session; the first `found` places count. */
  readonly docs: Int32Array;
  readonly found: number;
  /** BM25 of the doc's own text; 0 of docs that are not among `docs`. */
  readonly own: Float64Array;
  /** BM25 of its text together with the one before it: an answer is often understood only with the question before it. */
  readonly window: Float64Array;
  /** What a text made of nothing but the question would reach. */
  readonly ideal: number;
}

let own = new Float64Array(0);
let window = new Float64Array(0);
let docs = new Int32Array(0);
let counted = new Uint16Array(0);
let found = 0;

/**
 * BM25 (Robertson and Zaragoza 2009) with idf ln(1 + (N − df + .5) / (df + .5)), of each doc and of each doc with the one before it. N, df
 * and average lengths are those of the memories current at the basis, before any filter. Terms are added in the order given (telling ones
 * first), so the same basis gives the same bits.
 * @param eligible 1 for each doc that may be found
 */
export function keywordScores(
  terms: readonly HashedTerm[],
  columns: Columns,
  basis: Visibility,
  eligible: Uint8Array,
): KeywordScores {
  startOver(columns.docs);
  const { k1 } = recipe.bm25;
  const averages = averageLengths(columns, basis);
  const b = lengthWeight(averages.own);
  const flat = k1 * (1 - b);
  const slopes = { own: (k1 * b) / averages.own, window: (k1 * b) / averages.window };
  const { length, before, leads, alsoLed } = columns;
  let ideal = 0;
  for (const { asked, telling, postings } of terms) {
    const { docs: at, counts } = postings;
    for (let place = 0; place < at.length; place++) counted[at[place]!] = counts[place]!;
    const df = frequenciesOf(columns, basis, postings);
    const gain = asked * (k1 + 1);
    const weight = gain * idf(basis.count, df.own);
    const windowWeight = gain * idf(basis.count, df.window);
    ideal += weight;
    for (let place = 0; place < at.length; place++) {
      const doc = at[place]!;
      const count = counts[place]!;
      if (eligible[doc] === 1 && isFound(doc, telling)) {
        own[doc]! += (weight * count) / (count + flat + slopes.own * length[doc]!);
        const ahead = before[doc]!;
        const both = count + (ahead >= 0 ? counted[ahead]! : 0);
        const long = length[doc]! + (ahead >= 0 ? length[ahead]! : 0);
        window[doc]! += (windowWeight * both) / (both + flat + slopes.window * long);
      }
      // Mostly one; more where what was said next was revised.
      for (let next = leads[doc]!; next >= 0; next = alsoLed[next]!) {
        if (next >= eligible.length || counted[next]! > 0 || eligible[next] !== 1) continue;
        if (!isFound(next, telling)) continue;
        window[next]! += (windowWeight * count) / (count + flat + slopes.window * (length[next]! + length[doc]!));
      }
    }
    for (let place = 0; place < at.length; place++) counted[at[place]!] = 0;
  }
  return { docs, found, own, window, ideal };
}

function startOver(size: number): void {
  for (let at = 0; at < found; at++) {
    own[docs[at]!] = 0;
    window[docs[at]!] = 0;
  }
  found = 0;
  if (own.length >= size) return;
  own = new Float64Array(roomFor(size));
  window = new Float64Array(roomFor(size));
  docs = new Int32Array(roomFor(size));
  counted = new Uint16Array(roomFor(size));
}

/** What telling words do not find, the others do not add to. */
function isFound(doc: number, telling: boolean): boolean {
  if (own[doc] !== 0 || window[doc] !== 0) return true;
  if (!telling) return false;
  docs[found++] = doc;
  return true;
}

/** In how many current docs a term occurs, and in how many with the one before. Its counts are in `counted`. */
const frequenciesOf = toldOncePerTerm(({ leads, alsoLed }, { isCurrent }, { docs: at }) => {
  let owns = 0;
  let windows = 0;
  for (let place = 0; place < at.length; place++) {
    const doc = at[place]!;
    // Of a basis before, there are fewer docs than postings tell of.
    owns += isCurrent[doc] ?? 0;
    for (let next = leads[doc]!; next >= 0; next = alsoLed[next]!)
      if (counted[next] === 0) windows += isCurrent[next] ?? 0;
  }
  return { own: owns, window: owns + windows };
});

function idf(count: number, occurs: number): number {
  return Math.log(1 + (count - occurs + 0.5) / (occurs + 0.5));
}

/** Of current docs, in terms; at least 1. */
export const averageLengths = toldOnce(({ length, before }, { isCurrent, count, totalLength }) => {
  let ahead = 0;
  for (let doc = 0; doc < isCurrent.length; doc++)
    if (isCurrent[doc] === 1 && before[doc]! >= 0) ahead += length[before[doc]!]!;
  return {
    own: count > 0 && totalLength > 0 ? totalLength / count : 1,
    window: count > 0 && totalLength > 0 ? (totalLength + ahead) / count : 1,
  };
});

/** How much a memory's length counts, by what is usual in its bank. */
export function lengthWeight(averageLength: number): number {
  const { bShort, bLong, shortTo, longFrom } = recipe.bm25;
  const share = Math.min(1, Math.max(0, (averageLength - shortTo) / (longFrom - shortTo)));
  return bShort + (bLong - bShort) * share;
}

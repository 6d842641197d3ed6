import type { Columns } from '../../bank-index/columns.js';
import { toldOnce, toldOncePerTerm } from '../../bank-index/told-once.js';
import type { Visibility } from '../../bank-index/visibility.js';
import type { HashedTerm } from '../ranking/read-terms.js';
import { recipe } from '../recipe.js';
import { kernelWith, putMask } from './kernel.js';
import type { WordsMost } from './survey.js';

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
  /** The highest of what a mask has; 0 where nothing was found. */
  mostOf(current: Uint8Array): WordsMost;
}

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
  const room = kernelWith(columns);
  const { kernel, at } = room;
  const { buffer } = kernel.memory;
  kernel.clear_words(at.wordSums);
  putMask(room, at.scored, eligible);
  const { k1 } = recipe.bm25;
  const averages = averageLengths(columns, basis);
  const b = lengthWeight(averages.own);
  const flat = k1 * (1 - b);
  const slopes = { own: (k1 * b) / averages.own, window: (k1 * b) / averages.window };
  let ideal = 0;
  for (const { asked, telling, postings } of terms) {
    const { length } = postings.docs;
    if (length === 0) {
      ideal += asked * (k1 + 1) * idf(basis.count, 0);
      continue;
    }
    new Int32Array(buffer, at.termDocs, length).set(postings.docs);
    new Uint16Array(buffer, at.termCounts, length).set(postings.counts);
    kernel.mark_term(at.termDocs, at.termCounts, length, at.counted);
    const df = frequenciesOf(columns, basis, postings);
    const gain = asked * (k1 + 1);
    const weight = gain * idf(basis.count, df.own);
    const windowWeight = gain * idf(basis.count, df.window);
    ideal += weight;
    kernel.add_term(
      at.textColumns,
      at.wordSums,
      at.termDocs,
      at.termCounts,
      length,
      at.counted,
      at.scored,
      eligible.length,
      telling ? 1 : 0,
      weight,
      windowWeight,
      flat,
      slopes.own,
      slopes.window,
    );
    kernel.unmark_term(at.termDocs, length, at.counted);
  }
  const found = new Int32Array(buffer, at.wordSums, 4)[3]!;
  return {
    found,
    ideal,
    docs: new Int32Array(buffer, at.found, found),
    own: new Float64Array(buffer, at.own, room.docs),
    window: new Float64Array(buffer, at.window, room.docs),
    mostOf(current) {
      putMask(room, at.current, current);
      kernel.most_of(at.wordSums, at.current, at.told);
      const [own, window] = new Float64Array(buffer, at.told, 2);
      return { own: own!, window: window! };
    },
  };
}

/** In how many current docs the term occurs that is marked in the kernel, and in how many with the one before. */
const frequenciesOf = toldOncePerTerm((columns, { isCurrent }, { docs }) => {
  const room = kernelWith(columns);
  const { kernel, at } = room;
  putMask(room, at.mask, isCurrent);
  kernel.frequencies(at.textColumns, at.termDocs, docs.length, at.counted, at.mask, isCurrent.length, at.told);
  const [own, more] = new Float64Array(kernel.memory.buffer, at.told, 2);
  return { own: own!, window: own! + more! };
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

import { docFlags } from '#views/doc-flags.js';
import type { Columns } from '../../bank-index/columns.js';
import type { Scale, Usual } from './survey.js';

/** How near docs are in meaning, on a scale that does not depend on what they are written in. */
export interface Meaning {
  /** Deviations from what is usual among docs of its language; NaN of a doc without a vector. */
  standing(doc: number): number;
  /** The same from 0 (two deviations below what is usual, or less) to 1 (the best doc of all, where it stands out); NaN without a vector. */
  share(doc: number): number;
  /** The highest standing. */
  readonly most: number;
  /** As it is; NaN without a vector. */
  cosine(doc: number): number;
  /** Whether a doc is written in the other language than the question. */
  isAcross(doc: number): boolean;
  /** The highest cosine of docs that are not; undefined where there are none. */
  readonly nearestOwn: number | undefined;
  /** What `share` is told by. */
  readonly scale: Scale;
}

/**
 * How much lower cosines of multilingual-e5-small lie between a question and texts of another language than within its own: measured on two
 * sets (bench/sets), .735 against .835 and .731 against .829 for questions in Chinese, .743 against .747 and .729 against .753 in English.
 */
const acrossLanguages = { han: 0.1, other: 0.01 };
/** What is usual deviates so much (.014 to .021 within a question, there), and counts as much as so many docs: a few say little about a bank. */
const usualDeviation = 0.02;
const weightOfUsual = 8;
/** The best of a bank that holds an answer stands at least there (2.9 on average among 150): where nothing does, nothing is the best. */
const usualBest = 2.5;
/** Standing that counts as nothing. */
const floor = -2;

const languages = docFlags.latin | docFlags.han;

/**
 * @param cosines per doc; NaN where there is no vector
 * @param usual of those that are current
 */
export function meaningOf(
  { isHan }: { readonly isHan: boolean },
  cosines: Float32Array,
  { flags }: Pick<Columns, 'flags'>,
  { sums, squares, counts, nearest }: Usual,
): Meaning | undefined {
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (count === 0) return undefined;
  const isOther = (language: number): boolean => language === (isHan ? docFlags.latin : docFlags.han);
  const across = isHan ? acrossLanguages.han : acrossLanguages.other;
  // What is usual in the question's own language, told from all docs where the others are moved there.
  let moved = 0;
  for (let language = 0; language <= languages; language++)
    moved += sums[language]! + (isOther(language) ? across * counts[language]! : 0);
  const usual = moved / count;
  const means = Float64Array.from(sums, (sum, language) => {
    const expected = usual - (isOther(language) ? across : 0);
    return (sum + weightOfUsual * expected) / (counts[language]! + weightOfUsual);
  });
  let variance = 0;
  for (let language = 0; language <= languages; language++) {
    const mean = means[language]!;
    variance += squares[language]! - 2 * mean * sums[language]! + counts[language]! * mean * mean;
  }
  const deviation = Math.sqrt((Math.max(0, variance) + weightOfUsual * usualDeviation ** 2) / (count + weightOfUsual));
  const standing = (doc: number): number => (cosines[doc]! - means[flags[doc]! & languages]!) / deviation;
  // Within a language the nearest doc is the one that stands highest, also after rounding.
  let most = -Infinity;
  for (let language = 0; language <= languages; language++)
    if (counts[language]! > 0) most = Math.max(most, (nearest[language]! - means[language]!) / deviation);
  const spread = Math.max(most, usualBest) - floor;
  let nearestOwn: number | undefined;
  for (let language = 0; language <= languages; language++)
    if (counts[language]! > 0 && !isOther(language)) nearestOwn = Math.max(nearestOwn ?? -Infinity, nearest[language]!);
  return {
    most,
    nearestOwn,
    cosine: (doc) => cosines[doc]!,
    isAcross: (doc) => isOther(flags[doc]! & languages),
    standing,
    share: (doc) => Math.max(0, standing(doc) - floor) / spread,
    scale: { means, deviation, floor, spread },
  };
}

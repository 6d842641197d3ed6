import { termHash } from '#understanding/terms/term-hash.js';
import type { AnalysedQuestion } from '#understanding/terms/terms.js';
import type { TermPostings } from '../../bank-index/term-postings.js';
import type { View } from '../../basis/open-view.js';

/** A term of the question, with where it occurs. */
export interface HashedTerm {
  readonly term: string;
  /** How often the question has it. */
  readonly asked: number;
  /** Whether its occurrence alone makes a memory relevant. */
  readonly telling: boolean;
  readonly postings: TermPostings;
}

/** Of a longer question (a pasted page), the first of its terms count. */
const askedTerms = 256;

/** Telling terms first, then the others, each in the order of their text: sums do not depend on how the question was put. */
export async function readTerms(
  question: AnalysedQuestion,
  { index, keys, reader }: Pick<View, 'index' | 'keys' | 'reader'>,
): Promise<HashedTerm[]> {
  const texts = [...question.counts.keys()].slice(0, askedTerms).sort();
  const postings = await index.terms.read(
    reader,
    texts.map((term) => termHash(keys.indexKey, term)),
    index.columns.docs,
  );
  const terms = texts.map((term, at) => ({
    term,
    asked: question.counts.get(term)!,
    telling: question.telling.has(term),
    postings: postings[at]!,
  }));
  return [...terms.filter(({ telling }) => telling), ...terms.filter(({ telling }) => !telling)];
}

import { analyseQuestion } from '#understanding/terms/analyse-question.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { AnalysedQuestion } from '#understanding/terms/terms.js';
import { lowerBound, type TermPostings } from '../../bank-index/term-postings.js';
import { best } from './best.js';
import { type AskedTerm, bm25 } from './bm25.js';
import type { Leg, Scope } from './leg.js';

/** Of a longer question (a pasted page), the first of its terms count. */
const askedTerms = 256;

/** By the words of the question. Finds nothing where none of its content words occurs. */
export const keyword: Leg = {
  name: 'keyword',
  async rank(question, scope) {
    const analysed = analyseQuestion(question);
    const terms = await askedOf(analysed, scope);
    const scored = bm25(terms, scope.index.columns.length, scope.basis, scope.eligible);
    return best(scored, scope.limit).map((place) => {
      const doc = scored.docs[place]!;
      return { doc, score: scored.scores[place]!, matched: matchedWords(analysed, terms, doc) };
    });
  },
};

/** The terms in the order of their text: sums do not depend on how the question was put. */
export async function askedOf(
  question: AnalysedQuestion,
  { index, indexKey, reader }: Pick<Scope, 'index' | 'indexKey' | 'reader'>,
): Promise<(AskedTerm & { term: string })[]> {
  const texts = [...question.counts.keys()].slice(0, askedTerms).sort();
  const hashes = texts.map((term) => termHash(indexKey, term));
  const postings = await index.terms.read(reader, hashes, index.columns.docs);
  return texts.map((term, at) => ({
    term,
    asked: question.counts.get(term)!,
    telling: question.telling.has(term),
    postings: postings[at]!,
  }));
}

function matchedWords(
  question: AnalysedQuestion,
  terms: readonly (AskedTerm & { term: string })[],
  doc: number,
): string[] {
  const found = terms.filter(({ postings }) => occursIn(postings, doc));
  return [...new Set(found.map(({ term }) => question.words.get(term) ?? term))];
}

export function occursIn({ docs }: TermPostings, doc: number): boolean {
  return docs[lowerBound(docs, doc)] === doc;
}

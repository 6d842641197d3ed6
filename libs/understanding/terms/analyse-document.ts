import { cutText } from './cut-text.js';
import { compatible } from './fold.js';
import { eachHanTerm } from './han-terms.js';
import { eachPairTerm } from './pair-terms.js';
import type { AnalysedText } from './terms.js';
import { wordTerms } from './word-terms.js';

/**
 * The terms of a memory's text. Function words are no terms: no question asks for them. Pictures are terms that add to no length: they are
 * looked for where a question says nothing else, and weigh in nothing else. Linear in the text's length.
 */
export function analyseDocument(text: string): AnalysedText {
  const counts = new Map<string, number>();
  let length = 0;
  const add = (term: string): void => {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    length++;
  };
  cutText(compatible(text), {
    word: (chunk) => {
      for (const term of wordTerms(chunk)) add(term);
    },
    han: (run) => eachHanTerm(run, add),
    pairs: (run) => eachPairTerm(run, add),
    emoji: (picture) => counts.set(picture, (counts.get(picture) ?? 0) + 1),
  });
  return { counts, length };
}

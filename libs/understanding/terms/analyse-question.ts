import { cutText } from './cut-text.js';
import { compatible } from './fold.js';
import { eachHanQuestionTerm } from './han-terms.js';
import { eachPairTerm } from './pair-terms.js';
import type { AnalysedQuestion } from './terms.js';
import { wordTerms } from './word-terms.js';

/** The content terms of a question, its pictures where it has no other; empty when it has function words only. */
export function analyseQuestion(text: string): AnalysedQuestion {
  const counts = new Map<string, number>();
  const telling = new Set<string>();
  const words = new Map<string, string>();
  const add = (term: string, word: string, isWord: boolean): void => {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    if (isWord) telling.add(term);
    if (!words.has(term)) words.set(term, word);
  };
  const pictures: string[] = [];
  cutText(compatible(text), {
    word: (chunk) => {
      for (const term of wordTerms(chunk)) add(term, chunk, true);
    },
    han: (run) => eachHanQuestionTerm(run, (term, isWord) => add(term, term, isWord)),
    pairs: (run) => eachPairTerm(run, (term) => add(term, term, true)),
    emoji: (picture) => pictures.push(picture),
  });
  if (counts.size === 0) for (const picture of pictures) add(picture, picture, true);
  return { counts, telling, words };
}

import { unrelated, unrelatedQuestions } from '../quality/unrelated.js';
import { sentences } from './sentences.js';

/** One in so many is in ordinary words, with people and days in it, so that all ways of finding have something to do. */
const ordinaryOneIn = 4;

/** Texts of a large vocabulary, and between them ordinary ones; the same for the same seed. */
export function recallTexts(seed: number): { next: () => string; question: () => string } {
  const text = sentences(seed);
  const ordinary = unrelated(seed);
  const asked = unrelatedQuestions(seed);
  let texts = 0;
  let questions = 0;
  return {
    next: () => (texts++ % ordinaryOneIn === 0 ? ordinary() : text.next()),
    question: () => (questions++ % ordinaryOneIn === 0 ? asked() : text.question()),
  };
}

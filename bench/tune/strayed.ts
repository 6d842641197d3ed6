import type { Question } from '../quality/questions.js';

/** What `strayed` calls its questions' category. */
export const askedElsewhere = 'asked elsewhere';

/** Every so-manieth question is asked elsewhere, too. */
const every = 3;

/**
 * Questions of one conversation, asked in the next one, where nothing answers them: what a question without an answer looks like. Sets
 * hardly have any, so that a model learns only to tell what answers from what stands beside it.
 */
export function strayed(questions: readonly Question[]): Question[] {
  const banks = [...new Set(questions.map(({ bank }) => bank))];
  if (banks.length < 2) return [];
  return questions
    .filter((_, at) => at % every === 0)
    .map((question) => ({
      ...question,
      id: `${question.id} elsewhere`,
      bank: banks[(banks.indexOf(question.bank) + 1) % banks.length]!,
      category: askedElsewhere,
      relevant: new Set<string>(),
    }));
}

import { analyseQuestion } from '#understanding/terms/analyse-question.js';

/** What stands between a question and its answer, as far as words tell it. */
export const causes = {
  several: 'four or more memories are wanted',
  unsaid: 'no telling word of it stands in what is wanted',
  rivals: 'what stands above shares as many of its words as what is wanted',
  ranking: 'what is wanted shares more of its words than what stands above',
  absent: 'nothing stands above: little or nothing was served',
} as const;

export type Cause = keyof typeof causes;

const many = 4;

/**
 * Told by words alone, so that nobody's judgement enters: the first of these that holds.
 * @param wanted whole texts
 * @param above what was served above the first that is wanted, as it was served
 */
export function causeOf(question: string, wanted: readonly string[], above: readonly string[]): Cause {
  if (wanted.length >= many) return 'several';
  const most = Math.max(0, ...wanted.map((text) => shared(question, text)));
  if (most === 0) return 'unsaid';
  if (above.length === 0) return 'absent';
  return Math.max(...above.map((text) => shared(question, text))) >= most ? 'rivals' : 'ranking';
}

function shared(question: string, text: string): number {
  const own = analyseQuestion(text).counts;
  return [...analyseQuestion(question).telling].filter((term) => own.has(term)).length;
}

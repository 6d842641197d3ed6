import { HindsightError } from '#contract/errors.js';
import { analyseQuestion } from '#understanding/terms/analyse-question.js';

/**
 * Refuses names in which nothing is left that is looked for: no memory is found by them, and a question says `will` or `the` whoever it is about.
 * @throws HindsightError invalid_input
 */
export function checkNames(groups: readonly (readonly string[])[]): void {
  for (const [group, names] of groups.entries())
    for (const [at, name] of names.entries())
      if (analyseQuestion(name).counts.size === 0)
        throw new HindsightError(
          'invalid_input',
          `names[${group}][${at}] is ${JSON.stringify(name)}, in which no word is looked for: the, of, will and marks are in questions about anything. A name takes at least one other word: write it longer (Will Hughes for Will), or leave it out.`,
          { parameter: 'names' },
        );
}

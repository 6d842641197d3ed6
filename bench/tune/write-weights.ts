import { featureNames } from '#query/recall/ranking/features.js';
import type { Form } from '#query/recall/ranking/form.js';
import type { FormWeights, Weights } from '#query/recall/ranking/weights.js';

/** The text of services/query/recall/ranking/learned-weights.ts. */
export function weightsFile(
  of: Readonly<Record<Form, FormWeights>>,
  sets: Readonly<Partial<Record<Form, string>>>,
): string {
  const forms = Object.entries(of).map(
    ([form, { vectors, keywords }]) =>
      `${remark(sets[form as Form])}  ${form}: {\n    vectors: ${written(vectors)},\n    keywords: ${written(keywords)},\n  },\n`,
  );
  return `import type { Form } from './form.js';
import type { FormWeights } from './weights.js';

/** Written by \`npm run bench -- tune --write\`: what each feature adds to the sum of a candidate, per form of memory (docs/recall.md). */
export const learned: Readonly<Record<Form, FormWeights>> = {
${forms.join('')}};
`;
}

/** A form that no set at hand has memories of keeps what it had. */
function remark(sets: string | undefined): string {
  return sets === undefined
    ? '  /** As it was: no set at hand has memories of this form. */\n'
    : `  /** Fitted on ${sets}. */\n`;
}

function written({ intercept, of, cut }: Weights): string {
  const weights = featureNames.filter((name) => of[name] !== undefined).map((name) => `${name}: ${of[name]}`);
  return `{\n      intercept: ${intercept},\n      of: { ${weights.join(', ')} },\n      cut: ${cut},\n    }`;
}

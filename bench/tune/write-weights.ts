import { featureNames } from '#query/recall/ranking/features.js';
import { type Form, forms } from '#query/recall/ranking/form.js';
import type { FormWeights, Weights } from '#query/recall/ranking/weights.js';

/** The text of services/query/recall/ranking/learned-weights.ts, as far as a formatter leaves it. @param from what each form's were learned from */
export function weightsFile(of: Readonly<Record<Form, FormWeights>>, from: Readonly<Record<Form, string>>): string {
  return `import type { Form } from './form.js';
import type { FormWeights } from './weights.js';

/** What the weights of each form were learned from; \`bench -- tune --write\` keeps what it says of forms that it does not learn anew. */
export const learnedFrom: Readonly<Record<Form, string>> = {
${forms.map((form) => `  ${form}: ${JSON.stringify(from[form])},\n`).join('')}};

/**
 * What each feature adds to the sum of a candidate, per form of memory: learned over the candidates of \`npm run bench -- tune\` (docs/recall.md
 * says what they come to in cross-validation).
 */
export const learned: Readonly<Record<Form, FormWeights>> = {
${forms.map((form) => written(form, of[form])).join('')}};
`;
}

function written(form: Form, { vectors, keywords }: FormWeights): string {
  return `  ${form}: {\n    vectors: ${weightsOf(vectors)},\n    keywords: ${weightsOf(keywords)},\n  },\n`;
}

function weightsOf({ intercept, of, cut }: Weights): string {
  const weights = featureNames.filter((name) => of[name] !== undefined).map((name) => `${name}: ${of[name]}`);
  return `{\n      intercept: ${intercept},\n      of: { ${weights.join(', ')} },\n      cut: ${cut},\n    }`;
}

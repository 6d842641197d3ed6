import { createHash } from 'node:crypto';
import { HindsightError } from '#contract/errors.js';
import type { OwnWeights } from '#events/recall-settings.js';
import { recipe } from '../recipe.js';
import { type FeatureName, featureNames } from './features.js';
import { type Form, forms } from './form.js';
import type { FormWeights, Weights } from './weights.js';

/** Names the features that weights are for: their meaning, which `recipe.ranking` counts, and their names. */
export const featuresVersion = `${recipe.ranking}.${createHash('sha256').update(featureNames.join(' ')).digest('hex').slice(0, 8)}`;

/** @throws HindsightError invalid_input for weights of other features, or of what this release does not know */
export function checkOwnWeights({ features, forms: given }: OwnWeights): void {
  const fault = (sentence: string): never => {
    throw new HindsightError('invalid_input', sentence, { parameter: 'weights' });
  };
  if (features !== featuresVersion)
    fault(
      `weights.features is ${JSON.stringify(features)}; this release ranks by ${featuresVersion}, to which they mean nothing: fit them anew (npm run bench -- tune --from-log).`,
    );
  if (Object.keys(given).length === 0)
    fault(
      `weights.forms has none, but takes at least one of ${forms.join(', ')}; to rank by those that ship again, \`bank configure NAME --weights shipped\`.`,
    );
  for (const [form, models] of Object.entries(given)) {
    if (!isForm(form)) fault(`weights.forms has ${JSON.stringify(form)}; forms are ${forms.join(', ')}.`);
    if (Object.keys(models).length === 0)
      fault(`weights.forms.${form} has no weights, but takes vectors, keywords or both.`);
    for (const [kind, model] of Object.entries(models))
      for (const name of Object.keys(model?.of ?? {}))
        if (!isFeature(name))
          fault(
            `weights.forms.${form}.${kind} weighs ${JSON.stringify(name)}; features are ${featureNames.join(', ')}.`,
          );
  }
}

/** What a bank taught of notes holds for those in Chinese, where it taught nothing of these. */
const kinOf: Partial<Record<Form, Form>> = { hanNote: 'note' };

/** A bank's own weights where it has some, and those that ship for all else; undefined where they are for other features than there are. */
export function weightsWith(
  own: OwnWeights,
  shipped: Readonly<Record<Form, FormWeights>>,
): Readonly<Record<Form, FormWeights>> | undefined {
  if (own.features !== featuresVersion) return undefined;
  const both = forms.map((form): [Form, FormWeights] => {
    const { vectors, keywords } = own.forms[form] ?? own.forms[kinOf[form] ?? form] ?? {};
    return [
      form,
      {
        vectors: (vectors as Weights | undefined) ?? shipped[form].vectors,
        keywords: (keywords as Weights | undefined) ?? shipped[form].keywords,
      },
    ];
  });
  return Object.fromEntries(both) as Record<Form, FormWeights>;
}

function isForm(name: string): name is Form {
  return (forms as readonly string[]).includes(name);
}

function isFeature(name: string): name is FeatureName {
  return (featureNames as readonly string[]).includes(name);
}

import { type FeatureName, featureNames } from '#query/recall/ranking/features.js';
import type { Form } from '#query/recall/ranking/form.js';
import { fitLogistic, type Rows } from './logistic.js';
import type { Sample } from './samples.js';
import { signs } from './signs.js';

export interface Fitted {
  readonly intercept: number;
  readonly of: Readonly<Partial<Record<FeatureName, number>>>;
}

/** Smaller than this a weight says nothing, and the file is easier to read without it. */
const least = 0.05;

/**
 * How much the candidates of a set count for a form, where not as much as those of each other: KdConv has 2,061 questions about notes in Chinese, what
 * was taken of TimeQA 101 about notes in English. Of 1, 2, 3, 5, 7, 10 and 30 to one those were taken that keep each form's own recall with whole
 * conversations left out, and do well on sets of other forms that they were not learned from (docs/decisions/0024).
 */
const worth: Partial<Record<Form, Readonly<Record<string, { readonly vectors: number; readonly keywords: number }>>>> =
  {
    note: { zh_kdconv: { vectors: 3, keywords: 1 } },
    hanNote: { zh_kdconv: { vectors: 10, keywords: 3 } },
  };

/**
 * Weights by which candidates are told from each other. Rows are candidates only: what is relevant and was no candidate turns signs around.
 * A question's rows count less the more of them are relevant, so that one with many answers does not count for many; those of each set count
 * as much as those of each other, but for what `worth` has of the form. A feature whose weight would speak the wrong way is left out, the worst first.
 */
export function fitWeights(samples: readonly Sample[], among: readonly FeatureName[], form?: Form): Fitted {
  let names = [...among];
  for (;;) {
    const { intercept, weights } = fitLogistic(rowsOf(samples, names, form));
    const wrong = names
      .map((name, at) => ({ name, weight: weights[at]!, isWrong: signs[name] * weights[at]! < 0 || weights[at] === 0 }))
      .filter(({ isWrong }) => isWrong)
      .sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight));
    if (wrong.length === 0) {
      const small = names.filter((_, at) => Math.abs(weights[at]!) < least);
      if (small.length === 0) {
        const of = names.map((name, at) => [name, rounded(weights[at]!)] as const);
        return { intercept: rounded(intercept), of: Object.fromEntries(of) };
      }
      names = names.filter((name) => !small.includes(name));
    } else names = names.filter((name) => name !== wrong[0]!.name);
  }
}

/** Features that never differ from 0 in these samples have nothing to tell. */
export function usable(samples: readonly Sample[], among: readonly FeatureName[] = featureNames): FeatureName[] {
  return among.filter((name) => {
    const at = featureNames.indexOf(name);
    return samples.some(({ features }) => features.some((row) => row[at] !== 0));
  });
}

function rowsOf(samples: readonly Sample[], names: readonly FeatureName[], form: Form | undefined): Rows {
  const worthHere = (form && worth[form]) ?? {};
  const places = names.map((name) => featureNames.indexOf(name));
  const perSet = new Map<string, number>();
  for (const { set, features } of samples) perSet.set(set, (perSet.get(set) ?? 0) + features.length);
  const values: Float64Array[] = [];
  const observed: boolean[] = [];
  const counts: number[] = [];
  for (const { set, vectors, features, relevant, total } of samples) {
    const count = (worthHere[set]?.[vectors ? 'vectors' : 'keywords'] ?? 1) / Math.max(1, total) / perSet.get(set)!;
    features.forEach((row, at) => {
      values.push(Float64Array.from(places, (place) => row[place]!));
      observed.push(relevant[at]!);
      counts.push(count);
    });
  }
  return { values, observed, counts };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The chance that each candidate of a sample helps. */
export function chances({ intercept, of }: Fitted, { features }: Sample): number[] {
  const weights = featureNames.map((name) => of[name] ?? 0);
  return features.map((row) => {
    let sum = intercept;
    for (let at = 0; at < weights.length; at++) sum += weights[at]! * row[at]!;
    return 1 / (1 + Math.exp(-sum));
  });
}

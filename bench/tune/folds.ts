import type { FeatureName } from '#query/recall/ranking/features.js';
import type { Form } from '#query/recall/ranking/form.js';
import { chances, fitWeights } from './fit-weights.js';
import type { Sample } from './samples.js';

const most = 8;

/**
 * Chances of each sample's candidates by weights that were fitted without its conversation (of sets with up to three banks, without every
 * fifth question).
 * @param more samples that are learned from in every fold
 */
export function crossValidated(
  samples: readonly Sample[],
  among: readonly FeatureName[],
  more: readonly Sample[] = [],
  form?: Form,
): number[][] {
  const banks = [...new Set(samples.map(({ bank }) => bank))].sort();
  const fold = (sample: Sample, at: number): number => (banks.length > 3 ? banks.indexOf(sample.bank) % most : at % 5);
  const folds = samples.map(fold);
  const found: number[][] = samples.map(() => []);
  for (const each of new Set(folds)) {
    const fitted = fitWeights([...samples.filter((_, at) => folds[at] !== each), ...more], among, form);
    samples.forEach((sample, at) => {
      if (folds[at] === each) found[at] = chances(fitted, sample);
    });
  }
  return found;
}

export interface Scores {
  readonly questions: number;
  readonly at5: number;
  readonly at10: number;
  readonly first: number;
}

/** Of questions that have an answer: recall among the first five and ten, and how often the first is one. */
export function scoresOf(samples: readonly Sample[], scores: readonly (readonly number[])[], cut = 0): Scores {
  const asked = samples.map((sample, at) => ({ sample, own: scores[at]! })).filter(({ sample }) => sample.total > 0);
  const mean = (of: (relevant: readonly boolean[], total: number) => number): number =>
    asked.reduce((sum, { sample, own }) => sum + of(ranked(sample, own, cut), sample.total), 0) / asked.length;
  const share = (count: number) => (relevant: readonly boolean[], total: number) =>
    relevant.slice(0, count).filter(Boolean).length / total;
  return {
    questions: asked.length,
    at5: mean(share(5)),
    at10: mean(share(10)),
    first: mean(([first]) => (first ? 1 : 0)),
  };
}

function ranked({ relevant }: Sample, scores: readonly number[], cut: number): boolean[] {
  return [...relevant.keys()]
    .filter((at) => scores[at]! >= cut)
    .sort((one, other) => scores[other]! - scores[one]! || one - other)
    .map((at) => relevant[at]!);
}

/** The highest cut that costs no more than this share of the recall among the first five. */
export function highestCut(samples: readonly Sample[], scores: readonly (readonly number[])[], costs: number): number {
  const whole = scoresOf(samples, scores).at5;
  let cut = 0;
  for (let tried = 0.005; tried < 0.5; tried += 0.005)
    if (scoresOf(samples, scores, tried).at5 >= whole * (1 - costs)) cut = Math.round(tried * 1000) / 1000;
  return cut;
}

/** Of questions without an answer, the share that nothing is said to. */
export function emptyShare(samples: readonly Sample[], scores: readonly (readonly number[])[], cut: number): number {
  const none = samples.map((sample, at) => ({ sample, own: scores[at]! })).filter(({ sample }) => sample.total === 0);
  return none.filter(({ own }) => own.every((score) => score < cut)).length / Math.max(1, none.length);
}

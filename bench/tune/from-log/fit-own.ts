import { type FeatureName, featureNames } from '#query/recall/ranking/features.js';
import type { Weights } from '#query/recall/ranking/weights.js';
import { solve } from '../logistic.js';
import { signs } from '../signs.js';

/** An item of an answer that somebody rated. */
export interface Rated {
  /** Names the question: what was asked twice is learned from, or held out, together. */
  readonly question: string;
  /** In the order of `featureNames`. */
  readonly features: Float64Array;
  /** What its sum has beside the features: importance, confidence, trust, what was said of it before. */
  readonly merit: number;
  readonly helped: boolean;
}

/**
 * How far a weight may go by itself: one standard deviation of a Gaussian prior with its mean at the shipped weight. Half a unit is about what a
 * shipped weight differs by between two sets of the same form. A rating of an item tells of a weight about p(1 − p)x² = .2 · .4² = .03, and the
 * prior 1 / .5² = 4: it counts as much as some 125 ratings.
 */
export const priorDeviation = 0.5;
/** Of the shift: nearly free. */
const shiftDeviation = 3;
const rounds = 50;

interface Fitted {
  readonly weights: Weights;
  /** How much oftener what is rated helps than what is a candidate, in the logarithm of the odds. */
  readonly shift: number;
}

/**
 * The shipped weights, moved by ratings as far as these outweigh the prior; by Newton's method. Only what is weighed already is weighed anew,
 * and nothing turns its sign.
 *
 * Only what was served is rated, and rather what helped: that moves the intercept and nothing else (case-control sampling; King and Zeng 2001).
 * So the ratings' own shift is fitted beside the weights and left out of them. The intercept follows only so that candidates come to the same
 * sum on average as before: the cut lets as much through.
 * @param candidates of the same questions, whether rated or not
 */
export function fitOwn(shipped: Weights, rated: readonly Rated[], candidates: readonly Float64Array[]): Fitted {
  const allowed = featureNames.filter((name) => shipped.of[name] !== undefined);
  let names: readonly FeatureName[] = allowed;
  for (;;) {
    const { weights, shift } = mostLikely(shipped, rated, names);
    const turned = names.filter((name, at) => signs[name] * weights[at]! < 0);
    if (turned.length > 0) {
      names = names.filter((name) => !turned.includes(name));
      continue;
    }
    const of: Partial<Record<FeatureName, number>> = {};
    for (const [at, name] of names.entries()) of[name] = rounded(weights[at]!);
    const before = meanSum(shipped, candidates);
    const after = meanSum({ ...shipped, of }, candidates);
    return { weights: { ...shipped, of, intercept: rounded(shipped.intercept + before - after) }, shift };
  }
}

/** Weights of these features, those of the others being 0. */
function mostLikely(
  shipped: Weights,
  rated: readonly Rated[],
  names: readonly FeatureName[],
): { weights: Float64Array; shift: number } {
  const places = names.map((name) => featureNames.indexOf(name));
  const prior = Float64Array.from([0, ...names.map((name) => shipped.of[name]!)]);
  const found = climbed({
    prior,
    precision: prior.map((_, at) => 1 / (at === 0 ? shiftDeviation : priorDeviation) ** 2),
    rows: rated.map(({ features }) => Float64Array.from([1, ...places.map((place) => features[place]!)])),
    beside: rated.map(({ merit }) => shipped.intercept + merit),
    helped: rated.map((row) => row.helped),
  });
  return { weights: found.slice(1), shift: found[0]! };
}

/** The shift alone, with the weights as they are: what they are held against. */
function shiftedOnly(shipped: Weights, rated: readonly Rated[]): Fitted {
  const found = climbed({
    prior: new Float64Array(1),
    precision: Float64Array.of(1 / shiftDeviation ** 2),
    rows: rated.map(() => Float64Array.of(1)),
    beside: rated.map(({ features, merit }) => sumOf(shipped, features) + merit),
    helped: rated.map((row) => row.helped),
  });
  return { weights: shipped, shift: found[0]! };
}

interface Model {
  readonly prior: Float64Array;
  readonly precision: Float64Array;
  readonly rows: readonly Float64Array[];
  /** What each row's sum has besides. */
  readonly beside: readonly number[];
  readonly helped: readonly boolean[];
}

/** The likeliest numbers, by Newton's method; a step that goes too far is halved. */
function climbed(model: Model): Float64Array {
  const { prior, precision, rows, beside, helped } = model;
  let found = prior.slice();
  let height = heightOf(model, found);
  for (let round = 0; round < rounds; round++) {
    const gradient = found.map((value, at) => precision[at]! * (prior[at]! - value));
    const hessian = Array.from(found, (_, at) => {
      const line = new Float64Array(found.length);
      line[at] = precision[at]!;
      return line;
    });
    for (const [at, row] of rows.entries()) {
      const chance = 1 / (1 + Math.exp(-dot(row, found, beside[at]!)));
      for (let one = 0; one < row.length; one++) {
        gradient[one]! += ((helped[at] ? 1 : 0) - chance) * row[one]!;
        for (let other = 0; other <= one; other++)
          hessian[one]![other]! += chance * (1 - chance) * row[one]! * row[other]!;
      }
    }
    const step = solve(hessian, gradient);
    let [taken, next, reached] = [1, found, height];
    do {
      next = found.map((value, at) => value + taken * step[at]!);
      reached = heightOf(model, next);
      taken /= 2;
    } while (reached < height && taken > 1e-6);
    if (!(reached > height)) break;
    [found, height] = [next, reached];
  }
  return found;
}

/** The logarithm of how likely numbers are, by the ratings and the prior. */
function heightOf({ prior, precision, rows, beside, helped }: Model, numbers: Float64Array): number {
  let sum = 0;
  for (const [at, row] of rows.entries()) {
    const odds = dot(row, numbers, beside[at]!);
    sum -= softplus(helped[at] ? -odds : odds);
  }
  return numbers.reduce((total, value, at) => total - (precision[at]! * (value - prior[at]!) ** 2) / 2, sum);
}

/** ln(1 + e^x), for any x. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

function dot(row: Float64Array, numbers: Float64Array, beside: number): number {
  let sum = beside;
  for (let at = 0; at < row.length; at++) sum += row[at]! * numbers[at]!;
  return sum;
}

export interface HeldOut {
  /** Mean of −ln of the chance that was given to what came true, of ratings that were not learned from; less is better. */
  readonly shipped: number;
  readonly fitted: number;
}

const folds = 5;

/** How well ratings are foretold from those of other questions: a fifth of the questions is held out at a time. */
export function heldOutLoss(shipped: Weights, rated: readonly Rated[]): HeldOut {
  const questions = [...new Set(rated.map(({ question }) => question))].sort();
  const foldOf = new Map(questions.map((question, at) => [question, at % folds]));
  const sums = { shipped: 0, fitted: 0 };
  for (let fold = 0; fold < folds; fold++) {
    const learned = rated.filter(({ question }) => foldOf.get(question) !== fold);
    const own = fitOwn(shipped, learned, []);
    const kept = shiftedOnly(shipped, learned);
    for (const row of rated) {
      if (foldOf.get(row.question) !== fold) continue;
      sums.fitted += loss(own, row);
      sums.shipped += loss(kept, row);
    }
  }
  return { shipped: sums.shipped / rated.length, fitted: sums.fitted / rated.length };
}

function loss({ weights, shift }: Fitted, { features, merit, helped }: Rated): number {
  const odds = sumOf(weights, features) + merit + shift;
  return softplus(helped ? -odds : odds);
}

function sumOf({ intercept, of }: Weights, features: Float64Array): number {
  return featureNames.reduce((sum, name, at) => sum + (of[name] ?? 0) * features[at]!, intercept);
}

function meanSum(weights: Weights, rows: readonly Float64Array[]): number {
  return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + sumOf(weights, row), 0) / rows.length;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

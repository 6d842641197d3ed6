import { recipe } from '../recipe.js';
import { type Features, featureNames } from './features.js';
import type { TakenQuestion } from './question.js';

const across = featureNames.indexOf('meaningAcross');
const coverage = featureNames.indexOf('bestCoverage');
const inContext = featureNames.indexOf('coverageInContext');
const cosine = featureNames.indexOf('meaningCosine');
const amongBest = 2;
/**
 * From a chance of .05 on: below it, one of the other language says as little as any. Of 100 answers across languages (bench/sets) 86 were then
 * served when it was chosen, 83 from .1 and 80 from .15 on.
 */
const likelyAcross = Math.log(0.05 / 0.95);

/**
 * The chance that a bank holds an answer at all, by how well anything in it fits: a candidate is weighed beside others, and among unrelated
 * memories one is always the nearest. Told only by the cosines of the shipped model, and not where one of the best is likely and written in the
 * other language than the question: there, words say nothing and cosines lie lower. Weights and what they come to: `bench -- tune`, docs/decisions/0024.
 * @param order places, best first
 * @param odds the best candidate's sum
 */
export function chanceOfAnswer(
  { isShipped }: TakenQuestion,
  features: Features,
  order: readonly number[],
  odds: number,
): number | undefined {
  if (
    !isShipped ||
    (odds >= likelyAcross && order.slice(0, amongBest).some((place) => features.row(place)[across] === 1))
  )
    return undefined;
  let context = 0;
  let nearest = -Infinity;
  for (const place of order) {
    const row = features.row(place);
    context = Math.max(context, row[inContext]!);
    nearest = Math.max(nearest, row[cosine]!);
  }
  const { intercept, of } = recipe.answer;
  const sum =
    intercept +
    of.odds * odds +
    of.bestCoverage * features.row(order[0]!)[coverage]! +
    of.bestInContext * context +
    of.nearest * nearest;
  return 1 / (1 + Math.exp(-sum));
}

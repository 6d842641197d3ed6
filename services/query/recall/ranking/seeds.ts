import type { Scope } from './candidates.js';
import { type FeatureName, featureNames } from './features.js';
import type { TakenQuestion } from './question.js';

/** What each part adds at most; together 1. */
export const seedsWeights = { vector: 0.4, keyword: 0.3, graph: 0.2, recency: 0.1 } as const;
type SeedsPart = keyof typeof seedsWeights;

/** Of a candidate by its features, each from 0 to 1. */
type Parts = Readonly<Record<SeedsPart, number>>;

const at = (name: FeatureName): number => featureNames.indexOf(name);
const places = { keyword: at('words'), graph: at('names'), recency: at('recency') };

/**
 * The profile `seeds`: each leg's score from the least (0) to the most (1) that any current memory has of it. Nothing is left out by it, for
 * the best always comes to much, however little that is.
 */
export function seedsParts(
  { cosines }: Pick<TakenQuestion, 'cosines'>,
  { current }: Pick<Scope, 'current'>,
): (doc: number, features: Float64Array) => Parts {
  let least = Infinity;
  let most = -Infinity;
  for (let doc = 0; cosines && doc < current.length; doc++) {
    const cosine = cosines[doc]!;
    if (current[doc] !== 1 || !(cosine > -2)) continue;
    least = Math.min(least, cosine);
    most = Math.max(most, cosine);
  }
  return (doc, features) => {
    const cosine = cosines?.[doc] ?? Number.NaN;
    const near = most > least ? (cosine - least) / (most - least) : 1;
    return {
      vector: cosine > -2 ? Math.min(1, Math.max(0, near)) : 0,
      keyword: features[places.keyword]!,
      graph: features[places.graph]!,
      recency: features[places.recency]!,
    };
  };
}

/** @returns from 0 to 1 */
export function seedsScore(parts: Parts): number {
  const { vector, keyword, graph, recency } = seedsWeights;
  return vector * parts.vector + keyword * parts.keyword + graph * parts.graph + recency * parts.recency;
}

/** What each part adds, as `explain` tells it; what adds nothing is not told. */
export function toldParts(parts: Parts): Record<string, { value: number; weight: number }> {
  const names = Object.keys(seedsWeights) as SeedsPart[];
  const told = names.filter((name) => parts[name] !== 0);
  return Object.fromEntries(told.map((name) => [name, { value: parts[name], weight: seedsWeights[name] }]));
}

import type { RatingOutcome } from '#events/memory-rated.js';

/** One rating of a memory, as far as its weight rests on it. */
export interface Rating {
  readonly principal: string;
  readonly outcome: RatingOutcome;
  /** The version that was rated. */
  readonly version: number;
  /** The answer that the memory was served in. */
  readonly recallId?: string | undefined;
  /** When it was given (ISO, UTC). */
  readonly at: string;
  /** A later rating of the same memory has a higher one: its revision in the stream, or its moment. */
  readonly order: number;
}

/**
 * What an outcome says for (+) or against (−) a memory. That it had nothing to do with a question says more about the question than about
 * the memory. Chosen, not fitted: how much the weight counts in an answer is for the recipe to say.
 */
const worth: Readonly<Record<RatingOutcome, number>> = {
  success: 1,
  useful: 0.6,
  irrelevant: -0.2,
  failure: -0.8,
  wrong: -1,
};

/** Of each principal its newest ratings count, this many: who has changed his mind is believed after as many. */
export const countedRatings = 5;
/** With this much said, a principal counts half of what it can. */
const halfOfOne = 2;
/** As many fully agreed principals bring half of the weight that there is: one alone moves less than 1/3. */
const halfOfAll = 2;

/**
 * The occasion that a rating is about: its answer, else its day (UTC). A principal has one rating of a memory per occasion, the last one:
 * repeating it adds nothing.
 */
export function occasionOf({ recallId, at }: Pick<Rating, 'recallId' | 'at'>): string {
  return recallId === undefined ? `day ${at.slice(0, 10)}` : `recall ${recallId}`;
}

/**
 * How a version of a memory has fared, from −1 to 1 (both exclusive); undefined where nobody has rated it. A revision starts anew: what
 * was wrong may be right now, and good words for one text are none for another. Each principal counts by the sum s of what its newest
 * ratings are worth, as s/(|s|+2), so that it never counts more than one; the sum S of these makes S/(|S|+2). One principal by itself
 * moves a memory by .26 at most, however often it rates; ten that agree by .78. Independent of the order in which ratings come in here.
 */
export function feedbackWeight(ratings: Iterable<Rating>, version: number): number | undefined {
  const byPrincipal = new Map<string, Map<string, Rating>>();
  for (const rating of ratings) {
    const own = byPrincipal.get(rating.principal) ?? new Map<string, Rating>();
    const occasion = occasionOf(rating);
    const before = own.get(occasion);
    if (!before || before.order < rating.order) own.set(occasion, rating);
    byPrincipal.set(rating.principal, own);
  }
  const shares: number[] = [];
  for (const own of byPrincipal.values()) {
    const about = [...own.values()].filter((rating) => rating.version === version);
    if (about.length === 0) continue;
    const newest = about.sort((one, other) => other.order - one.order).slice(0, countedRatings);
    shares.push(bounded(sum(newest.map(({ outcome }) => worth[outcome])), halfOfOne));
  }
  return shares.length === 0 ? undefined : bounded(sum(shares), halfOfAll);
}

/** From −1 to 1, and half way at `half`. */
function bounded(value: number, half: number): number {
  return value / (Math.abs(value) + half);
}

/** In a fixed order: floating-point sums depend on it, and a basis has to repeat them to the bit. */
function sum(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other).reduce((total, value) => total + value, 0);
}

import { type RecallLeg, recallLegs } from '#events/recall-settings.js';
import { nearness } from '../legs/time-scores.js';
import type { Overview } from './candidates.js';

/** Where a candidate stands by one leg alone, from 1, and its score there. */
export interface LegPlace {
  readonly rank: number;
  readonly score: number;
}

/**
 * The candidates' places by each leg that found any of them.
 * @param moments when it happened, and what else it is about
 * @returns for the place of a candidate in `overview.docs`
 */
export function legPlaces(
  cosines: Float32Array | undefined,
  overview: Overview,
  slot: (doc: number) => number,
  moments: (doc: number) => readonly number[],
): (place: number) => Record<string, LegPlace> {
  const { docs, keywords, entities, times } = overview;
  const scores: Record<RecallLeg, (doc: number) => number> = {
    vector: (doc) => cosines?.[doc] ?? Number.NaN,
    keyword: (doc) => Math.max(keywords.own[doc]!, keywords.window[doc]!) / (keywords.ideal || 1),
    slot,
    graph: (doc) => entities.of[doc]! / (entities.most || 1),
    time: (doc) => Math.max(0, ...moments(doc).map((each) => nearness(each, times))),
  };
  const places = docs.map((): Record<string, LegPlace> => ({}));
  for (const name of recallLegs) {
    const found = docs
      .map((doc, place) => ({ place, score: scores[name](doc) }))
      .filter(({ score }) => (name === 'vector' ? score > -2 : score > 0))
      .sort((one, other) => other.score - one.score || one.place - other.place);
    found.forEach(({ place, score }, rank) => {
      places[place]![name] = { rank: rank + 1, score };
    });
  }
  return (place) => places[place]!;
}

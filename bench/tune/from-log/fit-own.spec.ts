import { describe, expect, it } from 'vitest';
import { featureNames } from '#query/recall/ranking/features.js';
import type { Weights } from '#query/recall/ranking/weights.js';
import { seeded } from '../../load/random.js';
import { fitOwn, heldOutLoss, type Rated } from './fit-own.js';

const shipped: Weights = { intercept: -4, of: { words: 2, coverage: 2, isQuestion: -1 }, cut: 0.02 };

/** Ratings that come about by these weights, among what is served. */
function ratings(of: Weights['of'], count: number, shift = 3): Rated[] {
  const random = seeded(5);
  return Array.from({ length: count }, (_, at) => {
    const features = Float64Array.from(featureNames, (name) => (shipped.of[name] === undefined ? 0 : random()));
    const sum = featureNames.reduce((total, name, place) => total + (of[name] ?? 0) * features[place]!, -4 + shift);
    return { question: `q${at % 97}`, features, merit: 0, helped: random() < 1 / (1 + Math.exp(-sum)) };
  });
}

const distance = (one: Weights['of'], other: Weights['of']) =>
  Math.hypot(...featureNames.map((name) => (one[name] ?? 0) - (other[name] ?? 0)));

describe('weights that are fitted from ratings', () => {
  const truth = { words: 0.5, coverage: 4.5, isQuestion: -2.5 };

  it('stay near the shipped ones where there are few, and go to what the ratings say where there are many', () => {
    const [few, many] = [40, 5_000].map((count) => fitOwn(shipped, ratings(truth, count), []).weights.of);
    expect(distance(few!, shipped.of)).toBeLessThan(0.9);
    expect(distance(many!, truth)).toBeLessThan(0.5);
    expect(distance(many!, shipped.of)).toBeGreaterThan(2.5);
  });

  it('are the shipped ones where there are none', () => {
    expect(fitOwn(shipped, [], []).weights).toEqual(shipped);
  });

  it('do not take it for chance that rather what helped is rated: that is no weight, and moves no cut', () => {
    for (const shift of [0, 3, 6]) {
      const rated = ratings(shipped.of, 3_000, shift);
      const fitted = fitOwn(
        shipped,
        rated,
        rated.map(({ features }) => features),
      );
      expect(fitted.shift).toBeCloseTo(shift, 0);
      expect(distance(fitted.weights.of, shipped.of)).toBeLessThan(0.5);
      const mean = (weights: Weights) =>
        rated.reduce(
          (sum, { features }) =>
            sum +
            featureNames.reduce((all, name, at) => all + (weights.of[name] ?? 0) * features[at]!, weights.intercept),
          0,
        ) / rated.length;
      expect(mean(fitted.weights)).toBeCloseTo(mean(shipped), 2);
      expect(fitted.weights.cut).toBe(shipped.cut);
    }
  });

  it('turn no sign, and weigh nothing that was not weighed', () => {
    const { of } = fitOwn(shipped, ratings({ words: -4, coverage: 3, tags: 5, isQuestion: 4 }, 4_000), []).weights;
    expect(Object.keys(of)).toEqual(['coverage']);
  });

  it('leave to what a memory has beside its features what that tells already', () => {
    const rated = ratings(truth, 3_000);
    const told = rated.map((row) => ({ ...row, merit: (4.5 - 2) * row.features[featureNames.indexOf('coverage')]! }));
    const [alone, beside] = [rated, told].map((rows) => fitOwn(shipped, rows, []).weights.of.coverage!);
    expect(alone).toBeGreaterThan(4);
    expect(beside).toBeCloseTo(shipped.of.coverage!, 0);
  });
});

describe('what held-out ratings come to', () => {
  it('is less by own weights where they differ from what ships, and no less where they do not', () => {
    const differs = heldOutLoss(shipped, ratings({ words: 0.5, coverage: 5, isQuestion: -3 }, 1_500));
    expect(differs.fitted).toBeLessThan(differs.shipped - 0.01);
    const same = heldOutLoss(shipped, ratings(shipped.of, 1_500));
    expect(Math.abs(same.fitted - same.shipped)).toBeLessThan(0.01);
  });
});

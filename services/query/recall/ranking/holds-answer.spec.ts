import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { type FeatureName, type Features, featureNames } from './features.js';
import { chanceOfAnswer } from './holds-answer.js';
import type { TakenQuestion } from './question.js';

const shipped = { isShipped: true } as TakenQuestion;
const features = (...rows: Partial<Record<FeatureName, number>>[]): Features => {
  const all = Float64Array.from(rows.flatMap((row) => featureNames.map((name) => row[name] ?? 0)));
  const width = featureNames.length;
  return { all, row: (place) => all.subarray(place * width, (place + 1) * width) };
};
const near = { bestCoverage: 0.7, coverageInContext: 0.6, meaningCosine: 0.7 };

it('is high where something fits, and low where only something is nearest', () => {
  expect(chanceOfAnswer(shipped, features(near, {}), [0, 1], 0)).toBeGreaterThan(0.8);
  expect(chanceOfAnswer(shipped, features({ bestCoverage: 0.1, meaningCosine: -0.1 }), [0], -3)).toBeLessThan(0.2);
});

it('is not told by another model, nor where one of the two best is in the other language', () => {
  const across = { ...near, meaningAcross: 1 };
  expect(chanceOfAnswer({ ...shipped, isShipped: false }, features(near), [0], 0)).toBeUndefined();
  expect(chanceOfAnswer(shipped, features(near, across), [0, 1], 0)).toBeUndefined();
  expect(chanceOfAnswer(shipped, features(near, near, across), [0, 1, 2], 0)).toBeDefined();
});

const value = fc.double({ min: 0, max: 1, noNaN: true });

test.prop([value, value, value, fc.double({ min: -8, max: 4, noNaN: true }), value])(
  'never falls when anything fits better',
  (bestCoverage, coverageInContext, meaningCosine, odds, more) => {
    const asked = { bestCoverage, coverageInContext, meaningCosine };
    const than = chanceOfAnswer(shipped, features(asked), [0], odds)!;
    for (const name of ['bestCoverage', 'coverageInContext', 'meaningCosine'] as const)
      expect(
        chanceOfAnswer(shipped, features({ ...asked, [name]: asked[name] + more }), [0], odds),
      ).toBeGreaterThanOrEqual(than);
    expect(chanceOfAnswer(shipped, features(asked), [0], odds + more)).toBeGreaterThanOrEqual(than);
  },
);

import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { calibrationError, reliability } from './reliability.js';

it('holds predicted against observed in each tenth that has items', () => {
  const tenths = reliability([
    { score: 0.05, relevant: false },
    { score: 0.72, relevant: true },
    { score: 0.78, relevant: false },
  ]);
  expect(tenths).toEqual([
    { from: 0, to: 0.1, items: 1, predicted: 0.05, observed: 0 },
    { from: 0.7, to: 0.8, items: 2, predicted: 0.75, observed: 0.5 },
  ]);
});

it('counts a score of exactly one among the highest', () => {
  expect(reliability([{ score: 1, relevant: true }])).toEqual([
    { from: 0.9, to: 1, items: 1, predicted: 1, observed: 1 },
  ]);
});

it('finds no error where every tenth keeps its word, and all of it where none does', () => {
  const honest = Array.from({ length: 4 }, (_, at) => ({ score: 0.25, relevant: at === 0 }));
  expect(calibrationError(reliability(honest))).toBe(0);
  expect(calibrationError(reliability([{ score: 1, relevant: false }]))).toBe(1);
});

test.prop([fc.array(fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), relevant: fc.boolean() }))])(
  'loses no item',
  (predictions) => {
    const tenths = reliability(predictions);
    expect(tenths.reduce((sum, { items }) => sum + items, 0)).toBe(predictions.length);
  },
);

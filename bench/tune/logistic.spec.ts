import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { seeded } from '../load/random.js';
import { fitLogistic, solve } from './logistic.js';

const number = fc.double({ min: -3, max: 3, noNaN: true });
const system = fc.integer({ min: 1, max: 5 }).chain((size) =>
  fc.record({
    rows: fc.array(fc.array(number, { minLength: size, maxLength: size }), { minLength: size, maxLength: size + 3 }),
    right: fc.array(number, { minLength: size, maxLength: size }),
  }),
);

/** Gauss's elimination with the largest pivot. */
function eliminated(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows
      .map((row, at) => ({ at, size: at < column ? -1 : Math.abs(row[column]!) }))
      .reduce((one, other) => (other.size > one.size ? other : one)).at;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let at = 0; at < rows.length; at++) {
      if (at === column) continue;
      const times = rows[at]![column]! / rows[column]![column]!;
      rows[at] = rows[at]!.map((value, place) => value - times * rows[column]![place]!);
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}

test.prop([system])('solves what elimination solves', ({ rows, right }) => {
  // AᵀA + I is symmetric and positive definite, whatever A is.
  const size = right.length;
  const matrix = Array.from({ length: size }, (_, one) =>
    Array.from({ length: size }, (_, other) =>
      rows.reduce((sum, row) => sum + row[one]! * row[other]!, one === other ? 1 : 0),
    ),
  );
  const lower = matrix.map((row, at) => Float64Array.from(row, (value, column) => (column <= at ? value : Number.NaN)));
  const found = solve(lower, Float64Array.from(right));
  for (const [at, value] of eliminated(matrix, right).entries()) expect(found[at]).toBeCloseTo(value, 6);
});

it('finds the weights that made what was observed', () => {
  const random = seeded(7);
  const known = { intercept: -1, weights: [2, -1.5, 0] };
  const values = Array.from({ length: 20_000 }, () => Float64Array.from(known.weights, () => random() * 2 - 1));
  const observed = values.map((row) => {
    const sum = known.weights.reduce((total, weight, at) => total + weight * row[at]!, known.intercept);
    return random() < 1 / (1 + Math.exp(-sum));
  });
  const { intercept, weights } = fitLogistic({ values, observed, counts: values.map(() => 1) });
  expect(Math.abs(intercept - known.intercept)).toBeLessThan(0.1);
  for (const [at, weight] of known.weights.entries()) expect(Math.abs(weights[at]! - weight)).toBeLessThan(0.15);
});

it('comes to the share that was observed where features say nothing, and counts rows by their weight', () => {
  const values = [0, 0, 0, 0].map(() => Float64Array.of(0));
  const observed = [true, false, false, false];
  const even = fitLogistic({ values, observed, counts: [1, 1, 1, 1] });
  expect(1 / (1 + Math.exp(-even.intercept))).toBeCloseTo(0.25, 6);
  expect(even.weights[0]).toBe(0);
  const uneven = fitLogistic({ values, observed, counts: [3, 1, 1, 1] });
  expect(1 / (1 + Math.exp(-uneven.intercept))).toBeCloseTo(0.5, 6);
});

it('stays finite where one feature tells all', () => {
  const values = Array.from({ length: 40 }, (_, at) => Float64Array.of(at % 2));
  const { intercept, weights } = fitLogistic({
    values,
    observed: values.map(([value]) => value === 1),
    counts: values.map(() => 1),
  });
  expect([intercept, weights[0]].every(Number.isFinite)).toBe(true);
  expect(weights[0]).toBeGreaterThan(1);
});

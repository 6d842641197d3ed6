/** Rows of numbers with what was observed of each (true or false) and how much each row counts. */
export interface Rows {
  readonly values: readonly Float64Array[];
  readonly observed: readonly boolean[];
  readonly counts: readonly number[];
}

export interface Logistic {
  readonly intercept: number;
  readonly weights: Float64Array;
}

const rounds = 25;

/**
 * Logistic regression with a ridge of ½|w|² (the intercept is free) by Newton's method: iteratively reweighted least squares (McCullagh and
 * Nelder 1989, 2.5). Counts are scaled to a mean of 1. Converges in some ten rounds.
 */
export function fitLogistic({ values, observed, counts }: Rows): Logistic {
  const size = (values[0]?.length ?? 0) + 1;
  const mean = counts.reduce((sum, each) => sum + each, 0) / counts.length;
  let weights = new Float64Array(size);
  for (let round = 0; round < rounds; round++) {
    const gradient = new Float64Array(size);
    const hessian = Array.from({ length: size }, () => new Float64Array(size));
    for (let at = 1; at < size; at++) {
      gradient[at] = -weights[at]!;
      hessian[at]![at] = 1;
    }
    values.forEach((row, place) => {
      let sum = weights[0]!;
      for (let at = 1; at < size; at++) sum += weights[at]! * row[at - 1]!;
      const chance = 1 / (1 + Math.exp(-sum));
      const count = counts[place]! / mean;
      const off = ((observed[place] ? 1 : 0) - chance) * count;
      const curve = chance * (1 - chance) * count;
      for (let one = 0; one < size; one++) {
        const value = one === 0 ? 1 : row[one - 1]!;
        if (value === 0) continue;
        gradient[one]! += off * value;
        const line = hessian[one]!;
        for (let other = 0; other <= one; other++) line[other]! += curve * value * (other === 0 ? 1 : row[other - 1]!);
      }
    });
    const step = solve(hessian, gradient);
    weights = weights.map((weight, at) => weight + step[at]!);
    if (step.every((each) => Math.abs(each) < 1e-7)) break;
  }
  return { intercept: weights[0]!, weights: weights.slice(1) };
}

/** Solves a symmetric positive definite system of which the lower half is given, by Cholesky's factors. */
export function solve(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const factor = lower.map((row) => row.slice());
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let sum = factor[row]![column]!;
      for (let at = 0; at < column; at++) sum -= factor[row]![at]! * factor[column]![at]!;
      factor[row]![column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / factor[column]![column]!;
    }
  const found = right.slice();
  for (let row = 0; row < size; row++) {
    for (let at = 0; at < row; at++) found[row]! -= factor[row]![at]! * found[at]!;
    found[row]! /= factor[row]![row]!;
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let at = row + 1; at < size; at++) found[row]! -= factor[at]![row]! * found[at]!;
    found[row]! /= factor[row]![row]!;
  }
  return found;
}

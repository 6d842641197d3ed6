/** Whole numbers of 16 bits that point where a question points, and what turns a sum of products into a cosine. */
export interface QuantizedQuestion {
  readonly numbers: Int16Array;
  /** One by the numbers' length: times a row's scale and the sum of products, the cosine. */
  readonly by: number;
}

const most16 = 32_767;

/**
 * As fine as the sums have room for: 127 times the sum of all sizes stays below 2^31.
 * @returns nothing when the vector has no direction (then nothing is near it)
 */
export function quantizeQuestion(vector: Float32Array): QuantizedQuestion | undefined {
  const levels = Math.min(most16, Math.floor((2 ** 31 - 1) / (127 * vector.length)));
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  if (!(most > 0 && Number.isFinite(most))) return undefined;
  const numbers = new Int16Array(vector.length);
  let squares = 0;
  for (let at = 0; at < vector.length; at++) {
    const whole = Math.round((vector[at]! / most) * levels);
    numbers[at] = whole;
    squares += whole * whole;
  }
  return { numbers, by: Math.fround(1 / Math.sqrt(squares)) };
}

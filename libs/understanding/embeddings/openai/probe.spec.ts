import { describe, expect, it } from 'vitest';
import { nameOfSpace, sameModel, sameProbe } from './probe.js';

/** Chance that repeats: numbers of a normal distribution, by xorshift and Box-Muller. */
function normal(seed: number): () => number {
  let bits = Math.imul(seed, 0x9e3779b1) || 1;
  const uniform = () => {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    return ((bits >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (each) => each / length);
}
const direction = (seed: number, dimensions: number) => unit(Array.from({ length: dimensions }, normal(seed + 1)));

/** A vector at this cosine from another. */
function turned(from: Float32Array, cosine: number, seed: number): Float32Array {
  const aside = direction(seed + 70_000, from.length);
  const along = from.reduce((sum, each, at) => sum + each * aside[at]!, 0);
  const across = unit([...aside].map((each, at) => each - along * from[at]!));
  const sine = Math.sqrt(1 - cosine * cosine);
  return unit([...from].map((each, at) => each * cosine + across[at]! * sine));
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);
const share = (cosine: number, dimensions: number, same: (one: Float32Array, other: Float32Array) => boolean) =>
  seeds.filter((seed) => {
    const one = direction(seed, dimensions);
    return same(one, turned(one, cosine, seed));
  }).length / seeds.length;
const byName = (one: Float32Array, other: Float32Array) =>
  sameModel(nameOfSpace(['x'], one), nameOfSpace(['x'], other));

describe.each([384, 1536])('a probe of %s dimensions', (dimensions) => {
  it('is the same within what servers differ by from call to call', () => {
    expect(share(0.9999, dimensions, byName)).toBe(1);
    expect(share(0.9999, dimensions, sameProbe)).toBe(1);
  });

  it('is another one when a model was quantised otherwise, tuned, or replaced', () => {
    for (const cosine of [0.99, 0]) {
      expect(share(cosine, dimensions, byName)).toBe(0);
      expect(share(cosine, dimensions, sameProbe)).toBe(0);
    }
  });
});

it('names a space in hex, the same each time', () => {
  const { model, dimensions } = nameOfSpace(['https://a', 'm'], direction(1, 384));
  expect(model).toMatch(/^[0-9a-f]{96}$/);
  expect(dimensions).toBe(384);
  expect(nameOfSpace(['https://a', 'm'], direction(1, 384)).model).toBe(model);
});

it('tells other settings and other dimensions apart', () => {
  const one = nameOfSpace(['https://a', 'm'], direction(1, 384));
  expect(sameModel(one, nameOfSpace(['https://a', 'n'], direction(1, 384)))).toBe(false);
  expect(sameModel(one, nameOfSpace(['https://a', 'm'], direction(1, 385)))).toBe(false);
  expect(sameModel(one, { model: one.model.slice(0, 32), dimensions: 384 })).toBe(false);
  expect(sameModel(one, { model: 'abc', dimensions: 384 })).toBe(false);
});

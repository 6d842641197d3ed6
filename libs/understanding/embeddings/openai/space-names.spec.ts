import { expect, it } from 'vitest';
import type { VectorSpace } from '../embedder.js';
import { nameOfSpace } from './probe.js';
import { spaceNames } from './space-names.js';

const unit = (numbers: readonly number[]) => {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (each) => each / length);
};
const numbers = Array.from({ length: 384 }, (_, at) => Math.sin(at * at + 1));
/** The same model, whose last digits differ so much that the names do. */
const named = (noise: number) =>
  nameOfSpace(['m'], unit(numbers.map((each, at) => each + noise * Math.cos(at * 7 + noise * 1e4))));
const [one, other, third] = [named(0), named(0.01), named(0.012)] as const;
const another = nameOfSpace(['m'], unit(numbers.map((each) => each ** 3)));

it('goes by the name that vectors are kept under, the last of them', async () => {
  expect(new Set([one, other, third].map(({ model }) => model)).size).toBe(3);
  expect(await spaceNames(async () => [another, one, third]).nameOf(other)).toEqual(third);
  expect(await spaceNames(async () => [another]).nameOf(other)).toEqual(other);
});

it('takes the name of whoever keeps the first vectors', async () => {
  const kept: VectorSpace[] = [];
  const names = spaceNames(async () => kept, 0);
  expect(await names.nameOf(one)).toEqual(one);
  kept.push(other);
  expect(await names.nameOf(one)).toEqual(other);
});

it('stays with a name that it gave, while nobody can say what is kept', async () => {
  const names = spaceNames(() => Promise.reject(new Error('the views are away')), 0);
  expect(await names.nameOf(one)).toEqual(one);
  expect(await names.nameOf(other)).toEqual(one);
  expect(await names.nameOf(another)).toEqual(another);
  expect(await names.nameOf(third)).toEqual(one);
});

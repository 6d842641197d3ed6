import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromPosition, toPosition } from './position.js';

const part = fc.oneof(fc.bigInt(0n, 2n ** 63n - 1n), fc.bigInt(0n, 2000n));
const logPosition = fc.record({ commit: part, prepare: part });

test.prop([logPosition])('comes back as it was', (position) => {
  expect(fromPosition(toPosition(position))).toEqual(position);
});

test.prop([logPosition, logPosition])('sorts as text by commit, then by prepare', (left, right) => {
  const order = left.commit === right.commit ? left.prepare < right.prepare : left.commit < right.commit;
  expect(toPosition(left) < toPosition(right)).toBe(order);
});

it('is refused where an older server had none to tell, and where it is another adapter’s', () => {
  expect(() => toPosition({ commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n })).toThrow(RangeError);
  expect(() => fromPosition('0000000000000001')).toThrow(TypeError);
});

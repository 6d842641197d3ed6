import { expect, it } from 'vitest';
import { currentFirst, updateOf } from './updates.js';

const update = { current: new Set(['new', 'newer']), stale: new Set(['old']) };

it('asks where the best of each stands', () => {
  expect(currentFirst(['x', 'newer', 'old', 'new'], update)).toBe(true);
  expect(currentFirst(['old', 'newer', 'new'], update)).toBe(false);
});

it('takes a stale one that is not served for outranked', () => {
  expect(currentFirst(['x', 'new'], update)).toBe(true);
});

it('takes a current one that is not served for a failure', () => {
  expect(currentFirst(['x'], update)).toBe(false);
  expect(currentFirst(['old'], update)).toBe(false);
});

it('compares only where both are labelled', () => {
  expect(updateOf({ original_info: ['a'], updated_info: ['b'] })).toEqual({
    current: new Set(['b']),
    stale: new Set(['a']),
  });
  expect(updateOf({ original_info: ['a'], updated_info: [] })).toBeUndefined();
  expect(updateOf({ first_event: ['a'], second_event: ['b'] })).toBeUndefined();
  expect(updateOf(undefined)).toBeUndefined();
});

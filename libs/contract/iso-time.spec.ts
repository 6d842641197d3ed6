import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { isoTime } from './iso-time.js';

/** All that a date can be. */
const furthest = 8_640_000_000_000_000;

test.prop([
  fc.oneof(
    fc.integer({ min: -furthest, max: furthest }),
    fc.integer({ min: -1e14, max: 3e14 }),
    fc.double({ min: -1e14, max: 1e14, noNaN: true }),
  ),
])('is spelled as a date spells it', (moment) => {
  expect(isoTime(moment)).toBe(new Date(moment).toISOString());
});

it.each([
  0,
  -1,
  951_782_400_000,
  Date.UTC(9999, 11, 31, 23, 59, 59, 999),
  Date.UTC(9999, 11, 31, 23, 59, 59, 999) + 1,
  -62_135_596_800_000,
  -62_135_596_800_001,
])('at the ends of days and years, too: %d', (moment) => {
  expect(isoTime(moment)).toBe(new Date(moment).toISOString());
});

it.each([Number.NaN, Infinity, -Infinity, furthest + 1])('refuses %d, which is no moment', (moment) => {
  expect(() => isoTime(moment)).toThrow(RangeError);
});

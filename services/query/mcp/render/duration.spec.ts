import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownDuration } from './duration.js';

it.each([
  [0, '0s'],
  [0.45, '0.4s'],
  [59.9, '59s'],
  [60, '1m'],
  [725, '12m 5s'],
  [3_600, '1h'],
  [5_400, '1h 30m'],
  [8_640_000, '100d'],
  [86_400 + 4 * 3_600 + 59, '1d 4h'],
  [2 * 365 * 86_400 + 40 * 86_400, '2y 40d'],
  [-90, '-1m 30s'],
])('%d seconds are %s', (seconds, shown) => {
  expect(shownDuration(seconds)).toBe(shown);
});

it('is short enough for a column, has a unit, and is off by less than the smaller one', () => {
  const lengths: Record<string, number> = { y: 31_536_000, d: 86_400, h: 3_600, m: 60, s: 1 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 * 31_536_000 }), (seconds) => {
      const shown = shownDuration(seconds);
      expect(shown).toMatch(/^\d+[ydhms]( \d+[dhms])?$/);
      expect(shown.length).toBeLessThanOrEqual(9);
      const parts = shown.split(' ').map((part) => Number(part.slice(0, -1)) * lengths[part.at(-1)!]!);
      const said = parts.reduce((sum, part) => sum + part, 0);
      expect(said).toBeLessThanOrEqual(seconds);
      expect(seconds - said).toBeLessThan(lengths[shown.split(' ')[0]!.at(-1)!]!);
    }),
  );
});

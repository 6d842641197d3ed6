import { describe, expect, it } from 'vitest';
import { expiryOf } from './time-to-live.js';

const noon = Date.parse('2026-01-31T12:00:00.000Z');

describe('a time to live', () => {
  it.each([
    [90, '2026-01-31T12:01:30.000Z'],
    [0.5, '2026-01-31T12:00:00.500Z'],
    ['90', '2026-01-31T12:01:30.000Z'],
    ['30m', '2026-01-31T12:30:00.000Z'],
    ['12h', '2026-02-01T00:00:00.000Z'],
    ['7d', '2026-02-07T12:00:00.000Z'],
    ['2w', '2026-02-14T12:00:00.000Z'],
    ['P30D', '2026-03-02T12:00:00.000Z'],
    ['PT1H30M', '2026-01-31T13:30:00.000Z'],
    ['P1M', '2026-02-28T12:00:00.000Z'],
    ['P1Y2DT3S', '2027-02-02T12:00:03.000Z'],
  ])('of %s ends', (ttl, expires) => expect(expiryOf(ttl, noon)).toBe(expires));

  it.each(['soon', '', 'P', 'PT', '-5m', '0', 0, -1, '1e9', 'P9000Y', '99999999999d', Number.NaN])(
    'of %s is refused with what is accepted',
    (ttl) =>
      expect(() => expiryOf(ttl, noon)).toThrowError(
        expect.objectContaining({
          code: 'invalid_input',
          message: expect.stringMatching(/^ttl is .*"30m", "12h", "7d" or "P30D"/),
        }),
      ),
  );
});

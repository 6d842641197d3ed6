import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseMillis, parseTime } from './time.js';

describe('a time', () => {
  it.each([
    ['2026-02-28T09:00:00+08:00', '2026-02-28T01:00:00.000Z'],
    ['2026-02-28T09:00:00', '2026-02-28T09:00:00.000Z'],
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2026-02-28 09:30', '2026-02-28T09:30:00.000Z'],
    ['2026-02-28T09:00:00.123456Z', '2026-02-28T09:00:00.123Z'],
    ['2024-02-29T23:59:59-0530', '2024-03-01T05:29:59.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0033-04-03T15:00:00Z', '0033-04-03T15:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (given, utc) => expect(parseTime('occurred_at', given)).toBe(utc));

  it.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '2026-02-28T24:00:00Z',
    '2026-02-28T09:61:00Z',
    '2026-02-28T09:00:00+25:00',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    'yesterday',
    '1772269200',
    '2026-2-8',
    '+012026-01-01T00:00:00Z',
    '',
  ])('%s is refused, naming the parameter, what was given and an example', (given) => {
    expect(() => parseTime('valid_from', given)).toThrowError(
      expect.objectContaining({
        code: 'invalid_time',
        message: expect.stringMatching(/^valid_from is ".*2026-02-28T09:00:00\+08:00\.$/),
        details: { parameter: 'valid_from', given },
      }),
    );
  });

  property.prop([
    fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
    fc.integer({ min: -14 * 60, max: 14 * 60 }),
  ])('reads back at any offset', (moment, offset) => {
    const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, 23);
    const size = Math.abs(offset);
    const two = (number: number) => String(number).padStart(2, '0');
    const suffix = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
    expect(parseMillis('t', local + suffix)).toBe(moment.getTime());
  });
});

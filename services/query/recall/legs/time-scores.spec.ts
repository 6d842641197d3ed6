import { describe, expect, it } from 'vitest';
import { askedTimes, isWithin, nearestOf, nearness } from './time-scores.js';

const at = (time: string) => Date.parse(time);
const words = [0, 1] as const;
const may = { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z', words };

describe('what is asked about', () => {
  it('is a span, open where one end was not said', () => {
    expect(askedTimes([{ ...may, grain: 'month', exact: true }])).toMatchObject([
      { from: at(may.from), to: at(may.to), yearly: false },
    ]);
    expect(askedTimes([{ from: may.from, words, grain: 'month', exact: true }])).toMatchObject([{ to: Infinity }]);
    expect(askedTimes([{ to: may.to, words, grain: 'month', exact: true }])).toMatchObject([{ from: -Infinity }]);
  });

  it('is a day, a month or a season of any year where none was said', () => {
    for (const grain of ['day', 'month', 'season'] as const)
      expect(askedTimes([{ ...may, grain, exact: false }])).toMatchObject([{ yearly: true }]);
    expect(askedTimes([{ ...may, grain: 'week', exact: false }])).toMatchObject([{ yearly: false }]);
  });
});

describe('nearness', () => {
  const times = askedTimes([{ ...may, grain: 'month', exact: true }]);

  it('is 1 within, and falls by e every 15 days outside of it', () => {
    expect(nearness(at('2026-05-01T00:00:00Z'), times)).toBe(1);
    expect(nearness(at('2026-05-31T23:59:59Z'), times)).toBe(1);
    expect(nearness(at('2026-06-16T00:00:00Z'), times)).toBeCloseTo(Math.exp(-1), 12);
    expect(nearness(at('2026-04-01T00:00:00Z'), times)).toBeCloseTo(Math.exp(-2), 12);
    expect(nearness(at('2026-05-15T00:00:00Z'), [])).toBe(0);
  });

  it('is that of the nearest where several are asked about', () => {
    const both = askedTimes([
      { ...may, grain: 'month', exact: true },
      { from: '2026-09-01T00:00:00.000Z', to: '2026-09-02T00:00:00.000Z', words, grain: 'day', exact: true },
    ]);
    expect(nearness(at('2026-09-01T12:00:00Z'), both)).toBe(1);
    expect(nearness(at('2026-05-02T00:00:00Z'), both)).toBe(1);
  });

  it('is 1 in the same month of any year where none was said', () => {
    const yearly = askedTimes([{ ...may, grain: 'month', exact: false }]);
    for (const year of [2019, 2024, 2026, 2031]) {
      expect(nearness(at(`${year}-05-20T00:00:00Z`), yearly)).toBe(1);
      expect(nearness(at(`${year}-11-20T00:00:00Z`), yearly)).toBeLessThan(0.01);
    }
  });

  it('never falls to the past of what has no beginning', () => {
    const until = askedTimes([{ to: may.to, words, grain: 'month', exact: true }]);
    expect(nearness(at('1999-01-01T00:00:00Z'), until)).toBe(1);
    expect(nearness(at('2026-06-16T00:00:00Z'), until)).toBeCloseTo(Math.exp(-1), 12);
  });
});

it('takes of what a memory is about and when it happened what is nearest', () => {
  const times = askedTimes([{ ...may, grain: 'month', exact: true }]);
  const [told, early, within] = ['2026-06-16T00:00:00Z', '2026-04-01T00:00:00Z', '2026-05-20T00:00:00Z'].map(at);
  expect(nearestOf(told!, [], times)).toBe(nearness(told!, times));
  expect(nearestOf(told!, [early!], times)).toBe(nearness(told!, times));
  expect(nearestOf(told!, [early!, within!], times)).toBe(1);
});

it('holds what is told a day before or after for within', () => {
  const times = askedTimes([{ ...may, grain: 'month', exact: true }]);
  const moments = ['2026-04-29T23:00:00Z', '2026-04-30T00:00:00Z', '2026-06-01T23:00:00Z', '2026-06-02T00:00:00Z'];
  expect(moments.map((moment) => isWithin(at(moment), times))).toEqual([false, true, true, false]);
  expect(isWithin(at('2026-05-02T00:00:00Z'), [])).toBe(false);
});

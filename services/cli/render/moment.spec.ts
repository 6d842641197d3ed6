import { expect, it } from 'vitest';
import { moment, stretch } from './moment.js';

it('shows the day alone at midnight in UTC', () => {
  expect(moment('2026-03-12T00:00:00.000Z')).toBe('2026-03-12');
  expect(moment('2026-03-12T09:41:00.000Z')).toMatch(/^2026-03-1[123] \d{2}:\d{2}$/);
  expect(moment('no time')).toBe('no time');
});

it('words stretches of time', () => {
  const [from, to] = ['2026-03-12T00:00:00.000Z', '2026-04-01T00:00:00.000Z'];
  expect(stretch(from, undefined)).toBe('since 2026-03-12');
  expect(stretch(from, to)).toBe('from 2026-03-12 to 2026-04-01');
  expect(stretch(undefined, to)).toBe('until 2026-04-01');
});

import { describe, expect, it } from 'vitest';
import { mentionsChange } from './mentions-change.js';

describe('a change is told', () => {
  it.each([
    'The retention was raised to 90 days.',
    'We moved the stand-up to ten.',
    'I no longer take the tram.',
    'Our limit is 40 now, since the audit.',
    'The review got rescheduled.',
    'they have a new landlord',
    '保留时间改成九十天了',
    '例会推迟到周五',
    '我们现在用另一个数据库',
    '预算提高到五万',
    '他搬到南京了',
    'The opening slipped to 3 June.',
    'Rosa took over the hiring.',
    'The quota was cut to 40.',
    'rent doubled to 900',
    '评审挪到下午',
    '余额降至三百',
    '值班改由小周负责',
  ])('%s', (text) => {
    expect(mentionsChange(text)).toBe(true);
  });

  it.each([
    'The retention is 30 days.',
    'I take the tram to work.',
    'We know the landlord.',
    'renewal is due in May',
    'My shift ends at six, mind the slip on the stairs.',
    'We cut the cake at noon.',
    '保留时间是三十天',
    '例会在周四',
    '',
  ])('is not told: %j', (text) => {
    expect(mentionsChange(text)).toBe(false);
  });
});

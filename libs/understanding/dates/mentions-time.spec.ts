import { describe, expect, it } from 'vitest';
import { mentionsTime } from './mentions-time.js';

describe('mentionsTime', () => {
  it.each([
    'we met yesterday',
    'since 2019',
    'three weeks ago',
    'in May',
    'at 10:30',
    'on Friday',
    'last summer',
    '3 March',
    'before March',
    '昨天见过',
    '上周三',
    '三年前',
    '去年搬的',
    '5月7日',
    '下午三点',
    '两个月前',
  ])('%s', (text) => {
    expect(mentionsTime(text)).toBe(true);
  });

  it.each(['we may march', 'the queue is full', 'he sat down', '队列满了', '数据库很慢', ''])('not: %s', (text) => {
    expect(mentionsTime(text)).toBe(false);
  });
});

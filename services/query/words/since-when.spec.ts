import { expect, it } from 'vitest';
import { sinceWhen } from './since-when.js';
import { lengthOfTime } from './stretch-of-time.js';

const at = Date.parse('2026-03-20T00:00:00.000Z');
const item = (content: string, before: object) => ({
  content,
  valid_from: '2026-03-05T00:00:00.000Z',
  replaced: [{ version: 1, content: 'MySQL 8.0', valid_from: '2026-01-01T00:00:00.000Z', ...before }],
});

it.each([
  ['PostgreSQL 16', {}, 'since 2 weeks ago, before that “MySQL 8.0”'],
  ['数据库是 PostgreSQL 16', {}, '始于 2 周前，此前是“MySQL 8.0”'],
  ['PostgreSQL', { system_to: '2026-03-19T00:00:00.000Z' }, 'known since 1 day ago, until then believed “MySQL 8.0”'],
  ['Go', { system_to: '2026-03-19T23:59:30.000Z' }, 'known for less than a minute, until then believed “MySQL 8.0”'],
  ['限额是 50', { system_to: '2026-03-19T22:00:00.000Z' }, '2 小时前得知，此前以为是“MySQL 8.0”'],
])('says of %j what it replaced, and when', (content, before, sentence) => {
  expect(sinceWhen(item(content, before), at, (text) => text)).toBe(sentence);
});

it('names no moment of what became true just now', () =>
  expect(sinceWhen({ ...item('Go', {}), valid_from: '2026-03-19T23:59:59.000Z' }, at, (text) => text)).toBe(
    'for less than a minute, before that “MySQL 8.0”',
  ));

it('says nothing of what replaced nothing', () => {
  expect(sinceWhen({ content: 'x', valid_from: '2026-03-05T00:00:00.000Z' }, at, (text) => text)).toBeUndefined();
});

it.each([
  [0, 'less than a minute', '不到一分钟'],
  [59_999, 'less than a minute', '不到一分钟'],
  [60_000, '1 minute', '1 分钟'],
  [7_200_000, '2 hours', '2 小时'],
  [86_400_000 * 13, '1 week', '1 周'],
  [86_400_000 * 800, '2 years', '2 年'],
])('calls %i ms %s', (millis, english, chinese) => {
  expect([lengthOfTime(millis, 'en'), lengthOfTime(millis, 'zh')]).toEqual([english, chinese]);
});

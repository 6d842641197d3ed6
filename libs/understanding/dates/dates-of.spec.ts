import { describe, expect, it } from 'vitest';
import { datesOf } from './dates-of.js';

/** A Wednesday. */
const at = '2023-06-14T10:00:00Z';
const spans = (text: string, when = at): string[] =>
  datesOf(text, { at: when }).map(
    ({ from, to, grain, exact }) => `${from.slice(0, 10)} ${to.slice(0, 10)} ${grain}${exact ? '' : ' about'}`,
  );

describe('absolute dates', () => {
  it.each([
    ['on 7 May 2023', '2023-05-07 2023-05-08 day'],
    ['May 7th, 2023', '2023-05-07 2023-05-08 day'],
    ['the 7th of May 2023', '2023-05-07 2023-05-08 day'],
    ['2023-05-07', '2023-05-07 2023-05-08 day'],
    ['2023/5/7', '2023-05-07 2023-05-08 day'],
    ['13/4/2023', '2023-04-13 2023-04-14 day'],
    ['3/4/2023', '2023-03-04 2023-03-05 day about'],
    ['in May 2023', '2023-05-01 2023-06-01 month'],
    ['in early May 2023', '2023-05-01 2023-05-11 month about'],
    ['in 2022', '2022-01-01 2023-01-01 year'],
    ['in the 1990s', '1990-01-01 2000-01-01 decade'],
    ['summer 2021', '2021-06-01 2021-09-01 season about'],
    ['Q3 2022', '2022-07-01 2022-10-01 quarter'],
    ['May 7-9, 2023', '2023-05-07 2023-05-10 day'],
    ['2023年5月7日', '2023-05-07 2023-05-08 day'],
    ['二〇二三年五月', '2023-05-01 2023-06-01 month'],
    ['2022年', '2022-01-01 2023-01-01 year'],
    ['2022年夏天', '2022-06-01 2022-09-01 season about'],
    ['九十年代', '1990-01-01 2000-01-01 decade'],
  ])('%s', (text, span) => {
    expect(spans(text)).toEqual([span]);
  });

  it('has none of a day that no calendar has', () => {
    expect(spans('2023-02-30')).toEqual([]);
    expect(spans('2023年2月30日')).toEqual([]);
  });
});

describe('dates without a year', () => {
  it.each([
    ['it broke on May 7', '2023-05-07 2023-05-08 day about'],
    ['it broke on November 7', '2022-11-07 2022-11-08 day about'],
    ['we will ship on November 7', '2023-11-07 2023-11-08 day about'],
    ['back in October', '2022-10-01 2022-11-01 month about'],
    ['last June', '2022-06-01 2022-07-01 month'],
    ['5月7日坏了', '2023-05-07 2023-05-08 day about'],
    ['11月7日坏了', '2022-11-07 2022-11-08 day about'],
    ['我们打算11月7日发布', '2023-11-07 2023-11-08 day about'],
    ['十二月三号', '2022-12-03 2022-12-04 day about'],
  ])('%s', (text, span) => {
    expect(spans(text)).toEqual([span]);
  });
});

describe('relative dates', () => {
  it.each([
    ['yesterday', '2023-06-13 2023-06-14 day'],
    ['the day before yesterday', '2023-06-12 2023-06-13 day'],
    ['last night', '2023-06-13 2023-06-14 day'],
    ['tomorrow', '2023-06-15 2023-06-16 day'],
    ['last Friday', '2023-06-09 2023-06-10 day'],
    ['last Wednesday', '2023-06-07 2023-06-08 day'],
    ['next Monday', '2023-06-19 2023-06-20 day'],
    ['this Friday', '2023-06-16 2023-06-17 day'],
    ['I swam on Friday', '2023-06-09 2023-06-10 day about'],
    ['I will swim on Friday', '2023-06-16 2023-06-17 day about'],
    ['two weeks ago', '2023-05-28 2023-06-04 week about'],
    ['three days ago', '2023-06-11 2023-06-12 day'],
    ['a few days ago', '2023-06-11 2023-06-12 day about'],
    ['two months ago', '2023-04-01 2023-05-01 month about'],
    ['five years ago', '2018-01-01 2019-01-01 year about'],
    ['last week', '2023-06-05 2023-06-12 week'],
    ['last month', '2023-05-01 2023-06-01 month'],
    ['next month', '2023-07-01 2023-08-01 month'],
    ['last year', '2022-01-01 2023-01-01 year'],
    ['last weekend', '2023-06-10 2023-06-12 weekend'],
    ['the weekend before last', '2023-06-03 2023-06-05 weekend'],
    ['last summer', '2022-06-01 2022-09-01 season about'],
    ['the past two weeks', '2023-05-31 2023-06-15 week about'],
    ['the week before 9 June 2023', '2023-06-02 2023-06-09 week'],
    ['the Friday before 15 July 2022', '2022-07-08 2022-07-09 day'],
    ['the day after 3 March 2023', '2023-03-04 2023-03-05 day'],
    ['昨天', '2023-06-13 2023-06-14 day'],
    ['前天', '2023-06-12 2023-06-13 day'],
    ['大前天', '2023-06-11 2023-06-12 day'],
    ['上周三', '2023-06-07 2023-06-08 day'],
    ['上上周五', '2023-06-02 2023-06-03 day'],
    ['下周一', '2023-06-19 2023-06-20 day'],
    ['上个星期', '2023-06-05 2023-06-12 week'],
    ['这周末', '2023-06-17 2023-06-19 weekend'],
    ['周五开了会', '2023-06-09 2023-06-10 day about'],
    ['准备周五开会', '2023-06-16 2023-06-17 day about'],
    ['三天前', '2023-06-11 2023-06-12 day'],
    ['两周前', '2023-05-28 2023-06-04 week about'],
    ['三个月前', '2023-03-01 2023-04-01 month about'],
    ['半年前', '2022-12-01 2023-01-01 month about'],
    ['上个月', '2023-05-01 2023-06-01 month'],
    ['下个月3号', '2023-07-03 2023-07-04 day'],
    ['去年', '2022-01-01 2023-01-01 year'],
    ['今年春天', '2023-03-01 2023-06-01 season about'],
    ['去年夏天', '2022-06-01 2022-09-01 season about'],
    ['今年上半年', '2023-01-01 2023-07-01 quarter'],
    ['去年五月', '2022-05-01 2022-06-01 month'],
    ['最近三个月', '2023-03-14 2023-06-15 month about'],
  ])('%s', (text, span) => {
    expect(spans(text)).toEqual([span]);
  });

  it('begins days where the moment says that they begin', () => {
    const [yesterday] = datesOf('昨天', { at: '2023-06-15T01:00:00+08:00' });
    expect(yesterday).toMatchObject({ from: '2023-06-13T16:00:00.000Z', to: '2023-06-14T16:00:00.000Z' });
  });

  it('takes a moment without an offset for UTC, and finds nothing from what is no moment', () => {
    expect(spans('yesterday', '2023-06-14T00:30:00')).toEqual(['2023-06-13 2023-06-14 day']);
    expect(spans('yesterday', 'soon')).toEqual([]);
  });
});

describe('words that only look like a time', () => {
  it.each([
    'I may go; he sat down',
    'the sun came out and we march on',
    'they march 5 km',
    'may 3 of us come?',
    'wait a second, decide first',
    'in 2000 people',
    'version 2022 of it',
    'fall asleep, spring into action',
    'April said so to June',
    'every Monday',
    '1.2.3 and 10.0.0.7',
    'last sat with us',
    '第三天前',
    '三年前后',
    '周一鸣来了',
    '后天性疾病',
    '每周三',
    '一月一次',
    '三个月',
    '一分钟后恢复了',
    '三号门',
  ])('%s', (text) => {
    expect(spans(text)).toEqual([]);
  });
});

it('says which words a time rests on', () => {
  const text = 'On 7 May 2023 we met; 上周三又见了';
  expect(datesOf(text, { at }).map(({ words }) => text.slice(...words))).toEqual(['7 May 2023', '上周三']);
});

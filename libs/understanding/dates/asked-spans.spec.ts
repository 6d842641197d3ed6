import { describe, expect, it } from 'vitest';
import { askedSpans } from './asked-spans.js';

const now = '2023-06-14T10:00:00Z';
const spans = (question: string): string[] =>
  askedSpans(question, { now }).map(({ from, to }) => `${from?.slice(0, 10) ?? '…'} ${to?.slice(0, 10) ?? '…'}`);

describe('askedSpans', () => {
  it.each([
    ['what broke in May 2023?', ['2023-05-01 2023-06-01']],
    ['where was I last year?', ['2022-01-01 2023-01-01']],
    ['who was on call before March?', ['… 2023-03-01']],
    ['what changed since 2021?', ['2021-01-01 …']],
    ['what changed after last Friday?', ['2023-06-10 …']],
    ['what ran until June 2022?', ['… 2022-07-01']],
    ['during May', ['2023-05-01 2023-06-01']],
    ['between March and May 2022', ['2022-03-01 2022-06-01']],
    ['between November and January', ['2022-11-01 2023-02-01']],
    ['from 2019 to 2021', ['2019-01-01 2022-01-01']],
    ['between 2019 and 2021', ['2019-01-01 2022-01-01']],
    ['between 3 May 2022 and 9 June 2022', ['2022-05-03 2022-06-10']],
    ['in 2019 and in 2021', ['2019-01-01 2020-01-01', '2021-01-01 2022-01-01']],
    ['去年夏天去了哪里', ['2022-06-01 2022-09-01']],
    ['三月之前谁负责', ['… 2023-03-01']],
    ['三月到五月', ['2023-03-01 2023-06-01']],
    ['从2019年到2021年', ['2019-01-01 2022-01-01']],
    ['2020年以来', ['2020-01-01 …']],
    ['上周之后', ['2023-06-12 …']],
    ['what is the port?', []],
  ])('%s', (question, expected) => {
    expect(spans(question)).toEqual(expected);
  });
});

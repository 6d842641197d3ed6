import { test as prop } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datesOf } from './dates/dates-of.js';
import { mentionsTime } from './dates/mentions-time.js';
import { entitiesOf } from './entities/entities-of.js';
import type { Words } from './entities/entity.js';
import { languageOf } from './language/language.js';
import { isQuestion } from './questions/is-question.js';
import { understandQuestion } from './questions/understand-question.js';
import { relationsOf } from './relations/relations-of.js';
import { understandText } from './understand-text.js';

const at = '2023-06-14T10:00:00Z';

/** Pieces of what the rules look for, in any order, among anything. */
const piece = fc.oneof(
  fc.constantFrom(
    'Anna',
    "Anna's",
    '王伟',
    '小王',
    '经理',
    '公司',
    ' lives in ',
    '住在',
    'May',
    ' 7 ',
    '2023',
    '年',
    '月',
    '上周',
    '三',
    ' ago',
    'two ',
    'weeks',
  ),
  fc.constantFrom(
    'before ',
    '之前',
    'v2.3.1',
    'src/a.ts',
    'a_b',
    'x@y.org',
    'https://',
    '（',
    '）',
    '(',
    ')',
    ',',
    '。',
    '?',
    '\n',
    ' is ',
    '是',
    '我',
    'my ',
    '{o}',
    '《',
    '》',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);

function lieInside(words: Words, whole: string): void {
  expect(words[0]).toBeGreaterThanOrEqual(0);
  expect(words[0]).toBeLessThan(words[1]);
  expect(words[1]).toBeLessThanOrEqual(whole.length);
}

describe('any text', () => {
  prop.prop([text, fc.option(fc.string(), { nil: undefined })], { numRuns: 1_000 })(
    'is read without a fault, and what is found lies in it',
    (whole, speaker) => {
      const { entities, dates, relations } = understandText(whole, { at, speaker });
      for (const { words, name, folded } of entities) {
        lieInside(words, whole);
        expect(whole.slice(...words)).toBe(name);
        expect(folded).not.toBe('');
      }
      for (const { words, from, to } of dates) {
        lieInside(words, whole);
        expect(Date.parse(from)).toBeLessThan(Date.parse(to));
      }
      for (const { words, subject, object } of relations) {
        lieInside(words, whole);
        expect(subject).not.toBe(object);
      }
      expect(new Set(entities.map(({ folded }) => folded)).size).toBe(entities.length);
    },
  );

  prop.prop([text], { numRuns: 500 })(
    'is understood as a question without a fault, and never cut to nothing',
    (question) => {
      const { text: left, dates, entities } = understandQuestion(question, { now: at });
      if (question.trim() !== '') expect(left.trim()).not.toBe('');
      for (const { words } of [...dates, ...entities]) lieInside(words, question);
      expect(typeof isQuestion(question)).toBe('boolean');
    },
  );

  prop.prop([text])('is read the same way twice', (whole) => {
    expect(understandText(whole, { at })).toEqual(understandText(whole, { at }));
  });

  prop.prop([text])('speaks of a time where a rule finds one', (whole) => {
    const found = datesOf(whole, { at }).some(({ grain }) => grain === 'day' || grain === 'month');
    expect(!found || mentionsTime(whole) || /\d/.test(whole)).toBe(true);
  });
});

describe('64 KiB of anything', () => {
  /** Of processor time: what else runs on the machine does not count. Best of three. */
  const milliseconds = (read: () => unknown): number => {
    const times = [0, 1, 2].map(() => {
      const start = process.cpuUsage();
      read();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    });
    return Math.min(...times);
  };

  it.each([
    ' ',
    'a',
    'A',
    'Anna ',
    'Of The ',
    'lives in ',
    'is ',
    "'s ",
    '1',
    '1 ',
    'May 7 ',
    'the last two ',
    'before the week ',
    'two years ago ',
    'a.',
    'a@',
    '/',
    '-',
    '(',
    '.ts/',
    'https://',
    '_a',
    '\u0301',
    '😀',
    'ＡＢ',
    '王',
    '在',
    '在 ',
    '在A工作',
    '我是5，',
    '王伟（小王）',
    '公司',
    '年',
    '三月',
    '上个',
    '半',
    '《',
    '吗',
    '\n',
    'do you remember ',
    '请问',
  ])('reads %j over and over without trouble', (unit) => {
    const whole = unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536);
    // What is quadratic takes seconds; a text of this length is read in 5 to 40 ms.
    expect(milliseconds(() => entitiesOf(whole))).toBeLessThan(250);
    expect(milliseconds(() => datesOf(whole, { at }))).toBeLessThan(250);
    expect(milliseconds(() => relationsOf(whole))).toBeLessThan(250);
    expect(milliseconds(() => understandQuestion(whole, { now: at }))).toBeLessThan(250);
    expect(milliseconds(() => [languageOf(whole), mentionsTime(whole), isQuestion(whole)])).toBeLessThan(50);
  });
});

it('reads with what a bank adds to the vocabulary', () => {
  const packs = [
    {
      name: 'garden',
      relations: [{ name: 'grows', holds: 'many' as const, halfLifeDays: 200, en: ['grows'], zh: ['种了'] }],
    },
  ];
  expect(understandText('Priya grows leeks', { at, packs }).relations).toMatchObject([
    { subject: 'priya', relation: 'grows', object: 'leeks' },
  ]);
  expect(understandText('Priya grows leeks', { at }).relations).toEqual([]);
});

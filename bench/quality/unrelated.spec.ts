import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { languageOf } from './questions.js';
import { mixedIn, unrelated, unrelatedQuestions } from './unrelated.js';

const some = (seed: number, count: number) => {
  const next = unrelated(seed);
  return Array.from({ length: count }, next);
};

it('says the same for the same seed, and never the same twice', () => {
  const texts = some(3, 5_000);
  expect(texts).toEqual(some(3, 5_000));
  expect(new Set(texts).size).toBe(5_000);
  expect(texts.slice(0, 50)).not.toEqual(some(4, 50));
});

it('asks about the people that it tells of', () => {
  const next = unrelatedQuestions(3);
  const questions = Array.from({ length: 200 }, next);
  const texts = some(3, 2_000).join(' ');
  const named = questions.map((question) => /was it (\S+)\?|^(\p{Script=Han}{2})/u.exec(question));
  expect(named.every((found) => found && texts.includes((found[1] ?? found[2])!))).toBe(true);
});

it('says about a quarter in Chinese', () => {
  const han = some(5, 4_000).filter((text) => languageOf(text) === 'Chinese').length;
  expect(han).toBeGreaterThan(800);
  expect(han).toBeLessThan(1_200);
});

test.prop([fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), fc.integer({ min: 0, max: 200 })])(
  'mixes all in, keeps the order, and leaves no long stretch without any',
  (own, others) => {
    const marked = own.map((value) => ({ value, own: true }));
    const mixed = mixedIn(marked, others, (value) => ({ value, own: false }));
    expect(mixed).toHaveLength(own.length + others);
    expect(mixed.filter((each) => each.own)).toEqual(marked);
    expect(mixed.filter((each) => !each.own).map(({ value }) => value)).toEqual(
      Array.from({ length: others }, (_, at) => at),
    );
    const half = mixed.slice(0, Math.ceil(mixed.length / 2)).filter((each) => !each.own).length;
    expect(Math.abs(half - others / 2)).toBeLessThanOrEqual(Math.ceil(others / own.length) + 1);
  },
);

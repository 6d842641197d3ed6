import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type RatingOutcome, ratingOutcomes } from '#events/memory-rated.js';
import { countedRatings, feedbackWeight, type Rating } from './feedback-weight.js';

/** From the worst to the best. */
const ranked: readonly RatingOutcome[] = ['wrong', 'failure', 'irrelevant', 'useful', 'success'];

let order = 0;
const rated = (outcome: RatingOutcome, more: Partial<Rating> = {}): Rating => ({
  principal: 'ann',
  outcome,
  version: 1,
  at: '2026-03-01T10:00:00.000Z',
  order: order++,
  ...more,
});

const someRatings = fc
  .array(
    fc.record({
      principal: fc.constantFrom('ann', 'ben', 'eve', '王芳'),
      outcome: fc.constantFrom(...ratingOutcomes),
      version: fc.constantFrom(1, 2),
      recallId: fc.option(fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7'), { nil: undefined }),
      at: fc.constantFrom('2026-03-01T10:00:00.000Z', '2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z'),
    }),
    { maxLength: 30 },
  )
  .map((all) => all.map((each, at): Rating => ({ ...each, order: at })));
const weight = (ratings: readonly Rating[], version = 1) => feedbackWeight(ratings, version) ?? 0;

describe('the weight of feedback', () => {
  it('is not there where nobody rated this version', () => {
    expect(feedbackWeight([], 1)).toBeUndefined();
    expect(feedbackWeight([rated('wrong')], 2)).toBeUndefined();
  });
  it('rises by success and use, falls a little by what was irrelevant and much by what was wrong', () => {
    const [wrong, failure, irrelevant, useful, success] = ranked.map((outcome) => weight([rated(outcome)]));
    expect([wrong, failure, irrelevant].every((each) => each! < 0)).toBe(true);
    expect(wrong).toBeLessThan(failure!);
    expect(failure).toBeLessThan(2 * irrelevant!);
    expect(0 < useful! && useful! < success!).toBe(true);
  });
  it('takes one rating per answer, and without one per day (UTC): the last', () => {
    expect(weight([rated('wrong', { recallId: 'r1' }), rated('useful', { recallId: 'r1' })])).toBe(
      weight([rated('useful')]),
    );
    expect(weight([rated('useful'), rated('useful', { at: '2026-03-01T23:59:59.999Z' })])).toBe(
      weight([rated('useful')]),
    );
    expect(weight([rated('useful'), rated('useful', { at: '2026-03-02T00:00:00.000Z' })])).toBeGreaterThan(
      weight([rated('useful')]),
    );
  });
  it('follows a principal who has changed his mind', () => {
    const days = Array.from({ length: 2 * countedRatings }, (_, day) =>
      rated(day < countedRatings ? 'useful' : 'wrong', { recallId: `r${day}` }),
    );
    expect(weight(days)).toBe(weight(days.slice(countedRatings)));
    expect(weight(days)).toBeLessThan(-0.2);
  });
  it('is moved by many more than by one', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => rated('success', { principal: `p${at}` }));
    expect([1, 2, 4, 10].map((count) => weight(many(count)).toFixed(2))).toEqual(['0.14', '0.25', '0.40', '0.63']);
  });

  test.prop([someRatings])('lies between −1 and 1', (ratings) => {
    expect(Math.abs(weight(ratings))).toBeLessThan(1);
  });
  test.prop([someRatings, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))])(
    'is the same to the bit in whatever order ratings come in',
    (ratings, random) => {
      const shuffled = ratings
        .map((rating) => ({ rating, place: random.next().value as number }))
        .sort((one, other) => one.place - other.place)
        .map(({ rating }) => rating);
      expect(feedbackWeight(shuffled, 1)).toBe(feedbackWeight(ratings, 1));
    },
  );
  test.prop([someRatings, fc.nat(), fc.constantFrom(...ranked)])(
    'never falls when one rating turns better',
    (ratings, which, better) => {
      fc.pre(ratings.length > 0);
      const at = which % ratings.length;
      fc.pre(ranked.indexOf(better) >= ranked.indexOf(ratings[at]!.outcome));
      const turned = ratings.map((each, index) => (index === at ? { ...each, outcome: better } : each));
      expect(weight(turned)).toBeGreaterThanOrEqual(weight(ratings));
    },
  );
  test.prop([someRatings, fc.constantFrom(...ratingOutcomes)])(
    'moves the way of whoever speaks for the first time',
    (ratings, outcome) => {
      const joined = [...ratings, rated(outcome, { principal: 'new' })];
      const isFor = outcome === 'success' || outcome === 'useful';
      if (isFor) expect(weight(joined)).toBeGreaterThan(weight(ratings));
      else expect(weight(joined)).toBeLessThan(weight(ratings));
    },
  );
  test.prop([fc.array(fc.constantFrom(...ratingOutcomes), { minLength: 1, maxLength: 200 }), someRatings])(
    'is moved by one principal, however often it rates, by less than 1/3, wherever it stands',
    (outcomes, others) => {
      const alone = outcomes.map((outcome, at) => rated(outcome, { principal: 'loud', recallId: `r${at}` }));
      expect(Math.abs(weight(alone))).toBeLessThan(1 / 3);
      expect(Math.abs(weight([...others, ...alone]) - weight(others))).toBeLessThan(1 / 3);
    },
  );
});

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { givenOf, meanOf, precisionOf, scoreOf } from './metrics.js';

const relevant = new Set(['a', 'b']);

describe('the score of an answer', () => {
  it('counts what is relevant among the first five and ten', () => {
    const score = scoreOf(['a', 'x1', 'x2', 'x3', 'x4', 'x5', 'b'], relevant);
    expect(score).toMatchObject({ recallAt5: 0.5, recallAt10: 1, hitAt1: 1 });
  });

  it('discounts by place, against the best order', () => {
    expect(scoreOf(['x', 'a', 'b'], relevant).ndcgAt10).toBeCloseTo(
      (1 / Math.log2(3) + 1 / Math.log2(4)) / (1 + 1 / Math.log2(3)),
      12,
    );
    expect(scoreOf(['b', 'a', 'x'], relevant).ndcgAt10).toBe(1);
  });

  it('is nothing for an answer without anything', () => {
    expect(scoreOf([], relevant)).toEqual({ recallAt5: 0, recallAt10: 0, hitAt1: 0, ndcgAt10: 0 });
  });

  it('reaches one when more is relevant than ten places hold', () => {
    const many = Array.from({ length: 14 }, (_, at) => `r${at}`);
    expect(scoreOf(many, new Set(many))).toMatchObject({ ndcgAt10: 1, recallAt10: 10 / 14 });
  });

  test.prop([
    fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 }),
    fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 }),
  ])('stays between nothing and one, and gains where something relevant moves up', (found, right) => {
    const ids = found.map(String);
    const wanted = new Set(right.map(String));
    const score = scoreOf(ids, wanted);
    for (const each of Object.values(score)) expect(each >= 0 && each <= 1 + 1e-12).toBe(true);
    const ordered = [...ids.filter((id) => wanted.has(id)), ...ids.filter((id) => !wanted.has(id))];
    expect(scoreOf(ordered, wanted).ndcgAt10).toBeGreaterThanOrEqual(score.ndcgAt10 - 1e-12);
  });
});

it('means each figure over all answers', () => {
  const scores = [scoreOf(['a', 'b'], relevant), scoreOf(['x'], relevant)];
  expect(meanOf(scores)).toEqual({ recallAt5: 0.5, recallAt10: 0.5, hitAt1: 0.5, ndcgAt10: 0.5 });
});

describe('precision', () => {
  it('holds nothing against what is related', () => {
    expect(givenOf(['a', 'r', 'x'], relevant, new Set(['r']))).toEqual({ right: 1, wrong: 1 });
  });

  it('weighs what was given, not answers', () => {
    const given = [givenOf(['a', 'b'], relevant), givenOf(['x', 'y', 'z'], new Set()), givenOf([], relevant)];
    expect(precisionOf(given)).toBe(2 / 5);
  });

  it('says nothing of empty answers', () => {
    expect(precisionOf([givenOf([], relevant)])).toBeUndefined();
  });
});

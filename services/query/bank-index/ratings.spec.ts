import { describe, expect, it } from 'vitest';
import { feedbackWeight } from '#memory/feedback-weight.js';
import type { RatingRow } from '#views/ratings.js';
import { bankRatings } from './ratings.js';

const rating = (seq: number, outcome: RatingRow['outcome'], more: Partial<RatingRow> = {}): RatingRow => ({
  seq,
  memoryId: 'm',
  version: 1,
  principal: `p${seq}`,
  outcome,
  at: '2026-03-01T10:00:00.000Z',
  ...more,
});

describe('the ratings of a bank', () => {
  const rows = [rating(3, 'useful'), rating(5, 'wrong'), rating(8, 'success', { version: 2 })];
  const weights = (seq: number, version = 1) => bank.weightAt('m', version, seq);
  const bank = bankRatings();
  bank.note(rows.slice(0, 2));
  bank.note(rows.slice(1));
  const ordered = rows.map((row) => ({ ...row, order: row.seq }));

  it('weigh a version as of a moment, whatever was loaded since', () => {
    expect([weights(2), weights(3), weights(4), weights(5)]).toEqual([
      undefined,
      feedbackWeight(ordered.slice(0, 1), 1),
      feedbackWeight(ordered.slice(0, 1), 1),
      feedbackWeight(ordered.slice(0, 2), 1),
    ]);
    expect([weights(7, 2), weights(8, 2), weights(8)]).toEqual([undefined, feedbackWeight(ordered, 2), weights(5)]);
    expect(bank.weightAt('other', 1, 9)).toBeUndefined();
  });
  it('are found by the moment at which they were given', () => {
    expect(bank.givenAt('m', 5)).toEqual(rows[1]);
    expect(bank.givenAt('m', 4)).toBeUndefined();
    expect(bank.givenAt('other', 5)).toBeUndefined();
  });
});

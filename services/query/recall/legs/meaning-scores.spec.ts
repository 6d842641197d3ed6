import { describe, expect, it } from 'vitest';
import { docFlags } from '#views/doc-flags.js';
import { emptyColumns } from '../../bank-index/columns.js';
import { meaningOf } from './meaning-scores.js';
import { surveyOf } from './survey.js';

const { latin, han, question } = docFlags;

function meaning(
  cosines: readonly number[],
  languages: readonly number[],
  options: { isHan?: boolean; not?: number } = {},
) {
  const eligible = Uint8Array.from(cosines, (_, doc) => (doc === options.not ? 0 : 1));
  const flags = Uint8Array.from(languages);
  const found = Float32Array.from(cosines);
  const columns = { ...emptyColumns(), flags, docs: flags.length };
  const survey = surveyOf({ columns, scored: eligible, current: eligible, cosines: found });
  return meaningOf({ isHan: options.isHan ?? false }, found, { flags }, survey.usual());
}

const near = [0.9, 0.84, 0.83, 0.82, 0.8, 0.81];

describe('meaningOf', () => {
  it('orders docs of one language by their cosines, the best at 1', () => {
    const found = meaning(
      near,
      near.map(() => latin),
    )!;
    const shares = near.map((_, doc) => found.share(doc));
    expect(shares[0]).toBeCloseTo((found.most + 2) / (Math.max(found.most, 2.5) + 2), 12);
    expect(found.most).toBe(found.standing(0));
    const byCosine = [...near.keys()].sort((one, other) => near[other]! - near[one]!);
    expect([...shares.keys()].sort((one, other) => shares[other]! - shares[one]!)).toEqual(byCosine);
    for (const share of shares) expect(share).toBeGreaterThanOrEqual(0);
  });

  it('measures in deviations from what is usual', () => {
    const found = meaning([0.8, 0.8, 0.9, 0.9], [latin, latin, latin, latin])!;
    // Eight docs that deviate by .02 count with the four that deviate by .05.
    const deviation = Math.sqrt((4 * 0.05 ** 2 + 8 * 0.02 ** 2) / 12);
    expect(found.standing(0)).toBeCloseTo(-0.05 / deviation, 5);
    expect(found.standing(2)).toBeCloseTo(0.05 / deviation, 5);
  });

  it('takes the best for the best only where it stands out', () => {
    const found = meaning([0.8, 0.8, 0.81, 0.8], [latin, latin, latin, latin])!;
    expect(found.share(2)).toBeCloseTo((found.most + 2) / 4.5, 12);
    expect(found.share(2)).toBeLessThan(0.7);
  });

  it('holds what stands out in another language for as near as what stands out as much in the question’s own', () => {
    for (const [own, foreign, isHan, lower] of [
      [latin, han, false, 0.01],
      [han, latin, true, 0.1],
    ] as const) {
      const other = near.map((cosine) => cosine - lower);
      const found = meaning([...near, ...other], [...near.map(() => own), ...other.map(() => foreign)], { isHan })!;
      for (const doc of near.keys()) expect(found.standing(near.length + doc)).toBeCloseTo(found.standing(doc), 4);
    }
  });

  it('takes a single doc of another language for neither far nor near by its language alone', () => {
    const found = meaning([...near, 0.73], [...near.map(() => han), latin], { isHan: true })!;
    const share = found.share(near.length);
    expect(share).toBeGreaterThan(found.share(4));
    expect(share).toBeLessThan(1);
  });

  it('tells languages by their letters, whatever else is known of a text', () => {
    const asked = meaning(
      near,
      near.map(() => latin | question),
    )!;
    const plain = meaning(
      near,
      near.map(() => latin),
    )!;
    expect(near.map((_, doc) => asked.standing(doc))).toEqual(near.map((_, doc) => plain.standing(doc)));
  });

  it('knows nothing of docs without a vector, and counts them nowhere', () => {
    const found = meaning([...near, Number.NaN], [...near.map(() => latin), latin])!;
    const without = meaning(
      near,
      near.map(() => latin),
    )!;
    expect([found.standing(near.length), found.share(near.length)]).toEqual([Number.NaN, Number.NaN]);
    expect(near.map((_, doc) => found.share(doc))).toEqual(near.map((_, doc) => without.share(doc)));
    expect(meaning([Number.NaN, Number.NaN], [latin, han])).toBeUndefined();
    expect(meaning([], [])).toBeUndefined();
  });

  it('takes what is usual from what may be answered with', () => {
    const found = meaning([0.99, ...near], [latin, ...near.map(() => latin)], { not: 0 })!;
    const without = meaning(
      near,
      near.map(() => latin),
    )!;
    expect(found.most).toBe(without.most);
    expect(found.standing(1)).toBe(without.standing(0));
  });

  it('finds one doc alone as usual as can be, and neither near nor far', () => {
    const found = meaning([0.4], [latin])!;
    expect(found.standing(0)).toBeCloseTo(0, 6);
    expect(found.share(0)).toBeCloseTo(2 / 4.5, 6);
    expect(meaning([0.5, 0.5, 0.5], [latin, latin, latin])!.share(1)).toBeCloseTo(2 / 4.5, 6);
  });
});

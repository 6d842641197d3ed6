import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { docFlags } from '#views/doc-flags.js';
import { emptyColumns } from '../../bank-index/columns.js';
import { best } from './best.js';
import { surveyOf } from './survey.js';
import { type AskedTime, nearness } from './time-scores.js';

const weights = { own: 0.3, window: 0.2, vector: 0.5, session: 0.3, time: 0.1 };
const nothing = { own: 0, window: 0 };
const moment = fc.integer({ min: Date.UTC(1995, 0), max: Date.UTC(2040, 0) });

const banks = fc.array(
  fc.record({
    cosine: fc.oneof(fc.float({ min: -1, max: 1, noNaN: true }), fc.constant(Number.NaN)),
    flags: fc.constantFrom(0, docFlags.latin, docFlags.han, docFlags.latin | docFlags.han | docFlags.question),
    isCurrent: fc.boolean(),
    isScored: fc.boolean(),
    at: moment,
  }),
  { minLength: 1, maxLength: 60 },
);

function surveyed(
  bank: readonly { cosine: number; flags: number; isCurrent: boolean; isScored: boolean; at: number }[],
) {
  const columns = {
    ...emptyColumns(),
    docs: bank.length,
    flags: Uint8Array.from(bank, ({ flags }) => flags),
    at: Float64Array.from(bank, ({ at }) => at),
    session: new Int32Array(bank.length).fill(-1),
  };
  const current = Uint8Array.from(bank, ({ isCurrent }) => Number(isCurrent));
  const scored = Uint8Array.from(bank, ({ isScored }) => Number(isScored));
  const cosines = Float32Array.from(bank, ({ cosine }) => cosine);
  return { columns, current, scored, cosines, survey: surveyOf({ columns, current, scored, cosines }) };
}

test.prop([banks])('sums up cosines by language as a loop does, to the bit', (bank) => {
  const { survey, current, cosines } = surveyed(bank);
  const { sums, squares, counts, nearest } = survey.usual();
  for (const language of [0, docFlags.latin, docFlags.han, docFlags.latin | docFlags.han]) {
    const theirs = [...cosines].filter(
      (cosine, doc) =>
        current[doc] === 1 && cosine > -2 && (bank[doc]!.flags & (docFlags.latin | docFlags.han)) === language,
    );
    expect(counts[language]).toBe(theirs.length);
    expect(sums[language]).toBe(theirs.reduce((sum, each) => sum + each, 0));
    expect(squares[language]).toBe(theirs.reduce((sum, each) => sum + each * each, 0));
    expect(nearest[language]).toBe(Math.max(-Infinity, ...theirs));
  }
});

test.prop([
  banks,
  fc.array(fc.record({ from: moment, days: fc.integer({ min: 0, max: 400 }), yearly: fc.boolean() }), { maxLength: 3 }),
])('tells how near moments are as a loop does, to the bit, years or none', (bank, asked) => {
  const { survey, scored } = surveyed(bank);
  const times = asked.map(
    ({ from, days, yearly }): AskedTime => ({ from, to: from + days * 86_400_000, yearly, years: new Map() }),
  );
  survey.nearTimes(times);
  for (const [doc, { at }] of bank.entries()) if (scored[doc] === 1) expect(survey.near[doc]).toBe(nearness(at, times));
});

test.prop([banks, fc.integer({ min: 1, max: 70 })])(
  'picks the best as a sort does, and counts what it picks from',
  (bank, limit) => {
    const { survey, scored, current, cosines } = surveyed(bank);
    const means = new Float64Array((docFlags.latin | docFlags.han) + 1).fill(0.1);
    survey.weigh({ means, deviation: 0.3, floor: -2, spread: 4 }, weights, nothing, false);
    const sums = Float64Array.from(cosines, (cosine) => (weights.vector * Math.max(0, (cosine - 0.1) / 0.3 + 2)) / 4);
    for (const doc of bank.keys()) {
      if (scored[doc] === 1 && cosines[doc]! > -2) expect(survey.rough[doc]).toBeCloseTo(sums[doc]!, 12);
      else expect(survey.rough[doc]).toBeNaN();
    }
    const docs = [...bank.keys()].filter((doc) => current[doc] === 1 && survey.rough[doc]! >= 0);
    const scores = Float64Array.from(docs, (doc) => survey.rough[doc]!);
    const picked = survey.pick(current, weights, limit);
    expect(picked.count).toBe(docs.length);
    expect(picked.docs).toEqual(best({ docs: Int32Array.from(docs), scores }, limit).map((place) => docs[place]));
  },
);

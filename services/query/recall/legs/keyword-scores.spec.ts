import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type Columns, emptyColumns, putDoc, putSpan } from '../../bank-index/columns.js';
import { pointAt, type Visibility, visibilityAt } from '../../bank-index/visibility.js';
import { docRow } from '../../test-support/doc-row.js';
import { averageLengths, keywordScores, lengthWeight } from './keyword-scores.js';

interface Doc {
  readonly length: number;
  readonly session?: string | undefined;
  readonly memory?: string | undefined;
  readonly isGone?: boolean | undefined;
}

function bank(docs: readonly Doc[]): { columns: Columns; basis: Visibility } {
  const columns = emptyColumns();
  docs.forEach(({ length, session, memory = '', isGone }, doc) => {
    const memoryId = memory || `m${doc}`;
    putDoc(columns, docRow({ doc, memoryId, length, sessionId: session }));
    putSpan(columns, {
      memoryId,
      doc,
      version: 1,
      status: isGone ? 'retracted' : 'current',
      validFrom: 0,
      validTo: Infinity,
      seqFrom: 1,
      seqTo: Infinity,
      systemFrom: '2026-03-01T00:00:00.000Z',
    });
  });
  return { columns, basis: visibilityAt(columns, pointAt(1, 10)) };
}

/** A word, with how often each doc has it. */
function word(counts: Readonly<Record<number, number>>, { telling = true, asked = 1 } = {}) {
  const docs = Object.keys(counts).map(Number);
  const postings = { docs: Int32Array.from(docs), counts: Uint16Array.from(docs.map((doc) => counts[doc]!)) };
  return { term: 'a word', asked, telling, postings };
}

/** Own and window scores per doc that was found, in the order of docs. */
function scored(
  { columns, basis }: ReturnType<typeof bank>,
  terms: readonly ReturnType<typeof word>[],
  eligible = basis.isCurrent,
) {
  const { docs, found, own, window, ideal } = keywordScores(terms, columns, basis, eligible);
  const at = [...docs.subarray(0, found)].sort((one, other) => one - other);
  return { docs: at, own: at.map((doc) => own[doc]!), window: at.map((doc) => window[doc]!), ideal };
}

const idf = (count: number, occurs: number) => Math.log(1 + (count - occurs + 0.5) / (occurs + 0.5));

describe('keywordScores', () => {
  it('is BM25 with k1 .9 and b .2 in a bank of short memories', () => {
    const { docs, own, window, ideal } = scored(bank([{ length: 10 }, { length: 30 }, { length: 20 }]), [
      word({ 0: 2, 1: 1 }),
    ]);
    const of = (count: number, length: number) =>
      (idf(3, 2) * count * 1.9) / (count + 0.9 * (0.8 + (0.2 * length) / 20));
    expect(docs).toEqual([0, 1]);
    expect(own[0]).toBeCloseTo(of(2, 10), 12);
    expect(own[1]).toBeCloseTo(of(1, 30), 12);
    // Alone, a memory is its own window.
    expect(window).toEqual(own);
    expect(ideal).toBeCloseTo(idf(3, 2) * 1.9, 12);
  });

  it('takes its statistics from what is current, whatever may be found', () => {
    const home = bank([{ length: 10 }, { length: 10 }, { length: 10 }, { length: 10, isGone: true }]);
    const term = word({ 0: 1, 1: 1, 3: 1 });
    const all = scored(home, [term]);
    const one = scored(home, [term], Uint8Array.from([1, 0, 0, 0]));
    const gone = scored(home, [term], Uint8Array.from([1, 1, 1, 1]));
    expect([all.docs, one.docs, gone.docs]).toEqual([[0, 1], [0], [0, 1, 3]]);
    expect([one.own[0], gone.own[0], gone.own[2]]).toEqual([all.own[0], all.own[0], all.own[0]]);
    expect(one.ideal).toBe(all.ideal);
  });

  it('adds what is not telling only to what a telling word found', () => {
    const home = bank([{ length: 10 }, { length: 10 }]);
    const weak = word({ 0: 1, 1: 1 }, { telling: false });
    const strong = word({ 1: 1 });
    expect(scored(home, [weak]).docs).toEqual([]);
    const both = scored(home, [strong, weak]);
    expect(both.docs).toEqual([1]);
    expect(both.own[0]).toBeGreaterThan(scored(home, [strong]).own[0]!);
  });

  it('finds what follows on a word in its session, and in no other', () => {
    const home = bank([
      { length: 10, session: 's1' },
      { length: 10, session: 's2' },
      { length: 10, session: 's1' },
      { length: 10, session: 's1' },
    ]);
    const { docs, own, window } = scored(home, [word({ 0: 1 })]);
    expect(docs).toEqual([0, 2]);
    expect(own[1]).toBe(0);
    expect(window[1]).toBeGreaterThan(0);
    expect(window[0]).toBeGreaterThan(window[1]!);
  });

  it('counts a word on both sides of a window together', () => {
    const home = bank([
      { length: 10, session: 's1' },
      { length: 10, session: 's1' },
      { length: 20 },
      { length: 20, session: 's2' },
    ]);
    const { own, window } = scored(home, [word({ 0: 1, 1: 1 })]);
    const average = (10 + 20 + 20 + 20) / 4;
    expect(window[1]).toBeCloseTo((idf(4, 2) * 2 * 1.9) / (2 + 0.9 * (0.8 + (0.2 * 20) / average)), 12);
    expect(own[1]).toBeCloseTo((idf(4, 2) * 1.9) / (1 + 0.9 * (0.8 + (0.2 * 10) / 15)), 12);
  });

  it('leaves nothing of one question to the next, of whatever bank', () => {
    const large = bank(Array.from({ length: 40 }, () => ({ length: 10, session: 's1' })));
    const small = bank([{ length: 10 }, { length: 10 }, { length: 10 }]);
    const term = word({ 0: 1, 2: 3 });
    const before = scored(small, [term]);
    scored(large, [word({ 0: 1, 1: 2, 20: 1, 39: 4 }), word({ 3: 1 })]);
    expect(scored(small, [term])).toEqual(before);
    expect(scored(small, [])).toMatchObject({ docs: [], ideal: 0 });
    expect([...keywordScores([], small.columns, small.basis, small.basis.isCurrent).own.subarray(0, 40)]).toEqual(
      Array(40).fill(0),
    );
  });
});

const docs = fc.array(
  fc.record({
    length: fc.integer({ min: 1, max: 200 }),
    session: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
    isGone: fc.boolean(),
    counts: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 }), fc.nat({ max: 2 })),
    isEligible: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

test.prop([docs, fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.boolean())])(
  'scores as it would if every text were read, alone and behind the one before it',
  (given, [asked, second, third]) => {
    const home = bank(given);
    const { columns, basis } = home;
    const telling = [true, second, second && third];
    const countOf = (doc: number, at: number) => (doc < 0 ? 0 : given[doc]!.counts[at]!);
    const terms = telling.map((each, at) => {
      const counts = given.flatMap(({ counts: own }, doc) => (own[at]! > 0 ? [[doc, own[at]!]] : []));
      return word(Object.fromEntries(counts), { telling: each, asked: at === 0 ? asked : 1 });
    });
    const eligible = Uint8Array.from(given, ({ isEligible }) => (isEligible ? 1 : 0));
    const current = [...given.keys()].filter((doc) => !given[doc]!.isGone);
    const before = (doc: number) => {
      const { session } = given[doc]!;
      return session === undefined ? -1 : given.slice(0, doc).findLastIndex((each) => each.session === session);
    };
    const widths = {
      own: (doc: number) => given[doc]!.length,
      window: (doc: number) => given[doc]!.length + (before(doc) < 0 ? 0 : given[before(doc)]!.length),
    };
    const frequency = {
      own: countOf,
      window: (doc: number, at: number) => countOf(doc, at) + countOf(before(doc), at),
    };
    const mean = (width: (doc: number) => number) =>
      current.length === 0 ? 1 : current.reduce((sum, doc) => sum + width(doc), 0) / current.length;
    const b = lengthWeight(mean(widths.own));
    expect(averageLengths(columns, basis).window).toBeCloseTo(mean(widths.window), 9);
    const naive = (doc: number, side: 'own' | 'window') =>
      terms.reduce((sum, term, at) => {
        const occurs = current.filter((each) => frequency[side](each, at) > 0).length;
        const count = frequency[side](doc, at);
        const width = widths[side](doc) / mean(widths[side]);
        return sum + (term.asked * idf(current.length, occurs) * count * 1.9) / (count + 0.9 * (1 - b + b * width));
      }, 0);
    const isFound = (doc: number) =>
      eligible[doc] === 1 && telling.some((each, at) => each && frequency.window(doc, at) > 0);
    const scores = scored(home, terms, eligible);
    expect(scores.docs).toEqual([...given.keys()].filter(isFound));
    for (const [at, doc] of scores.docs.entries()) {
      expect(scores.own[at]).toBeCloseTo(naive(doc, 'own'), 9);
      expect(scores.window[at]).toBeCloseTo(naive(doc, 'window'), 9);
    }
  },
);

it('lets length count more the longer memories usually are', () => {
  expect([10, 60, 120, 400].map(lengthWeight)).toEqual([0.2, 0.2, 0.75, 0.75]);
  expect(lengthWeight(90)).toBeCloseTo(0.475, 12);
});

import { describe, expect, it } from 'vitest';
import { emptyColumns, putDoc, putSpan } from '../../bank-index/columns.js';
import type { TermPostings } from '../../bank-index/term-postings.js';
import { pointAt, type Visibility, visibilityAt } from '../../bank-index/visibility.js';
import { bm25, lengthWeight } from './bm25.js';

/** Docs of these lengths, all current; the ones in `gone` were retracted. */
function bank(lengths: readonly number[], gone: readonly number[] = []): { lengths: Int32Array; basis: Visibility } {
  const columns = emptyColumns();
  for (const [doc, length] of lengths.entries()) {
    const common = { memoryId: `m${doc}`, doc, version: 1 };
    putDoc(columns, { ...common, length, expiresAt: Infinity, kind: 'semantic' });
    putSpan(columns, {
      ...common,
      status: gone.includes(doc) ? 'retracted' : 'current',
      validFrom: 0,
      validTo: Infinity,
      seqFrom: 1,
      seqTo: Infinity,
      systemFrom: '2026-03-01T00:00:00.000Z',
    });
  }
  return { lengths: columns.length, basis: visibilityAt(columns, pointAt(1, 10)) };
}

const postings = (docs: number[], counts: number[]): TermPostings => ({
  docs: Int32Array.from(docs),
  counts: Uint16Array.from(counts),
});
const asked = { asked: 1, telling: true };

describe('bm25', () => {
  it('is the formula, with k1 .9 and b .2 in a bank of short memories', () => {
    const { lengths, basis } = bank([10, 30, 20]);
    const { docs, scores } = bm25([{ ...asked, postings: postings([0, 1], [2, 1]) }], lengths, basis, basis.isCurrent);
    const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    const of = (count: number, length: number) => (idf * count * 1.9) / (count + 0.9 * (0.8 + (0.2 * length) / 20));
    expect([...docs]).toEqual([0, 1]);
    expect(scores[0]).toBeCloseTo(of(2, 10) / (idf * 1.9), 12);
    expect(scores[1]).toBeCloseTo(of(1, 30) / (idf * 1.9), 12);
  });

  it('takes its statistics from what is current, whatever may be found', () => {
    const { lengths, basis } = bank([10, 10, 10, 10], [3]);
    const term = { ...asked, postings: postings([0, 1, 3], [1, 1, 1]) };
    const onlyOne = Uint8Array.from([1, 0, 0, 0]);
    const all = bm25([term], lengths, basis, basis.isCurrent);
    const one = bm25([term], lengths, basis, onlyOne);
    expect([...all.docs]).toEqual([0, 1]);
    expect([...one.docs]).toEqual([0]);
    expect(one.scores[0]).toBe(all.scores[0]);
  });

  it('adds what is not telling only to what a telling term found', () => {
    const { lengths, basis } = bank([10, 10]);
    const weak = { asked: 1, telling: false, postings: postings([0, 1], [1, 1]) };
    const strong = { ...asked, postings: postings([1], [1]) };
    expect([...bm25([weak], lengths, basis, basis.isCurrent).docs]).toEqual([]);
    const both = bm25([weak, strong], lengths, basis, basis.isCurrent);
    expect([...both.docs]).toEqual([1]);
    const alone = bm25([strong], lengths, basis, basis.isCurrent);
    // Both terms are in, each as often as the other: what a term alone scores, it scores beside another that is also found.
    expect(both.scores[0]).toBeCloseTo(alone.scores[0]!, 12);
  });

  it('leaves nothing of one question to the next', () => {
    const { lengths, basis } = bank([10, 10, 10]);
    const term = { ...asked, postings: postings([0, 2], [1, 3]) };
    expect(bm25([term], lengths, basis, basis.isCurrent)).toEqual(bm25([term], lengths, basis, basis.isCurrent));
  });
});

it('lets length count more the longer memories usually are', () => {
  expect([10, 60, 120, 400].map(lengthWeight)).toEqual([0.2, 0.2, 0.75, 0.75]);
  expect(lengthWeight(90)).toBeCloseTo(0.475, 12);
});

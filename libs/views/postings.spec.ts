import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { blockOf, docsPerBlock, eachPosting, packPosting } from './postings.js';

const anyPostings = fc.uniqueArray(fc.nat(docsPerBlock - 1), { maxLength: 300 }).chain((docs) =>
  fc
    .array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 70_000 })), {
      minLength: docs.length,
      maxLength: docs.length,
    })
    .map((counts) => docs.sort((one, other) => one - other).map((doc, index) => [doc, counts[index]!] as const)),
);

describe('a block of postings', () => {
  test.prop([anyPostings, fc.nat(50)])('gives back what was appended to it', (postings, block) => {
    const placed = postings.map(([doc, tf]) => [block * docsPerBlock + doc, tf]);
    const bytes = Buffer.concat(placed.map(([doc, tf]) => packPosting(doc!, tf!)));
    const read: number[][] = [];
    eachPosting(block, bytes, (doc, tf) => read.push([doc, tf]));
    expect(read).toEqual(placed);
    expect(placed.every(([doc]) => blockOf(doc!) === block)).toBe(true);
  });

  test('takes two bytes for a term that occurs a few times', () => {
    expect([...packPosting(4097, 3)]).toEqual([0x00, 0x13]);
    expect([...packPosting(4095, 14)]).toEqual([0xff, 0xfe]);
    expect([...packPosting(4095, 15 + 300)]).toEqual([0xff, 0xff, 0xac, 0x02]);
  });
});

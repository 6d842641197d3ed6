import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { blockOf, docsPerBlock, packPosting } from '#views/postings.js';
import type { PostingBlock, ViewsReader } from '#views/reader.js';
import { termReader } from './term-postings.js';

type Occurrences = Map<string, { doc: number; tf: number }[]>;

function readerOf(occurrences: Occurrences): { reader: ViewsReader; read: number[] } {
  const read: number[] = [];
  const reader = {
    postings: async (_bank: string, hashes: readonly string[], fromBlock = 0) => {
      read.push(fromBlock);
      return new Map(hashes.map((hash) => [hash, blocksOf(occurrences.get(hash) ?? [], fromBlock)]));
    },
  } as unknown as ViewsReader;
  return { reader, read };
}

function blocksOf(postings: readonly { doc: number; tf: number }[], fromBlock: number): PostingBlock[] {
  const blocks = new Map<number, Uint8Array[]>();
  for (const { doc, tf } of postings) {
    const block = blockOf(doc);
    if (block >= fromBlock) blocks.set(block, [...(blocks.get(block) ?? []), packPosting(doc, tf)]);
  }
  return [...blocks].map(([block, packed]) => ({ block, bytes: Buffer.concat(packed) }));
}

const occurrencesOfOne = fc
  .uniqueArray(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 })
  .chain((docs) =>
    fc
      .array(fc.integer({ min: 1, max: 300 }), { minLength: docs.length, maxLength: docs.length })
      .map((counts) => docs.toSorted((one, other) => one - other).map((doc, at) => ({ doc, tf: counts[at]! }))),
  );

test.prop([
  fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), occurrencesOfOne),
  fc.array(fc.integer({ min: 0, max: 20_001 }), { minLength: 1, maxLength: 6 }),
])('reads a growing bank as it would read it anew', async (terms, sizes) => {
  const occurrences: Occurrences = new Map(Object.entries(terms));
  const grown = termReader('b');
  for (const docs of sizes.toSorted((one, other) => one - other)) {
    const hashes = ['a', 'c', 'b', 'missing'];
    const found = await grown.read(readerOf(occurrences).reader, hashes, docs);
    for (const [at, hash] of hashes.entries()) {
      const expected = (occurrences.get(hash) ?? []).filter(({ doc }) => doc < docs);
      expect([...found[at]!.docs]).toEqual(expected.map(({ doc }) => doc));
      expect([...found[at]!.counts]).toEqual(expected.map(({ tf }) => tf));
    }
  }
});

test('reads a full block once', async () => {
  const { reader, read } = readerOf(
    new Map([
      [
        'a',
        [
          { doc: 1, tf: 1 },
          { doc: 5000, tf: 2 },
        ],
      ],
    ]),
  );
  const terms = termReader('b');
  await terms.read(reader, ['a'], 5001);
  await terms.read(reader, ['a'], 5001);
  await terms.read(reader, ['a'], 5002);
  expect(read).toEqual([0, 1]);
});

test('answers a question whose terms are more than is kept', async () => {
  const many = Array.from({ length: 12 }, (_, at) => `t${at}`);
  const docs = 120_000;
  const bytes = Buffer.concat(Array.from({ length: docsPerBlock }, (_, doc) => packPosting(doc, 1)));
  const blocks = Array.from({ length: Math.ceil(docs / docsPerBlock) }, (_, block) => ({ block, bytes }));
  const reader = { postings: async () => new Map(many.map((term) => [term, blocks])) } as unknown as ViewsReader;
  const terms = termReader('b');
  for (let round = 0; round < 2; round++) {
    const found = await terms.read(reader, many, docs);
    expect(found.map(({ docs: own }) => own.length)).toEqual(many.map(() => docs));
  }
});

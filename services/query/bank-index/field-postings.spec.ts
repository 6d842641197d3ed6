import { fc, test } from '@fast-check/vitest';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyseQuestion } from '#understanding/terms/analyse-question.js';
import type { TermField } from '#understanding/terms/field-terms.js';
import { fakeVault } from '../test-support/fake-vault.js';
import { fakeViews } from '../test-support/fake-views.js';
import { emptyBankIndex } from './bank-index.js';
import { entityNumbersOf } from './doc-columns.js';
import { entityPostings, type FieldSource, fieldPostings, merged } from './field-postings.js';
import type { TermPostings } from './term-postings.js';

describe('postings of a field', () => {
  const index = emptyBankIndex('b1', fakeVault());
  let source: FieldSource;

  beforeAll(async () => {
    const vault = fakeVault();
    const views = fakeViews(vault, 'b1');
    const texts = [
      { content: 'We keep sessions in Redis', key: 'cache.engine', tags: ['infra', 'session store'] },
      { content: 'Melanie paints on Sundays' },
      { content: 'A painter came by; the painter of the gallery' },
      { content: '王伟喜欢北京', tags: ['人'] },
      { content: 'Redis was moved to Lisbon', subjects: ['Ada'] },
    ];
    for (const [at, text] of texts.entries()) await views.write({ memoryId: `m${at}`, ...text }, at + 1);
    await index.refresh(views.reader());
    const { indexKey } = await vault.bankKeys('b1');
    source = { terms: index.terms, reader: views.reader(), indexKey, docs: index.columns.docs };
  });

  const docsOf = async (field: TermField, ...terms: string[]) =>
    (await fieldPostings(source, field, terms)).map(({ docs }) => [...docs]);
  const cut = (question: string): string[] => [...analyseQuestion(question).counts.keys()];

  it('are of its terms alone, in the order asked for', async () => {
    expect(await docsOf('key', ...cut('engine redis cache'))).toEqual([[0], [], [0]]);
    expect(await docsOf('tag', 'session', 'engin', '人')).toEqual([[0], [], [3]]);
    expect(await docsOf('entity', 'redis', 'ada', 'lisbon', '北京', 'absent')).toEqual([[0, 4], [4], [4], [3], []]);
  });

  it('find words by their beginning, whichever of the two is the longer one', async () => {
    expect(await docsOf('prefix', ...cut('paint'))).toEqual([[2]]);
    expect(await docsOf('prefix', ...cut('painters'))).toEqual([[1, 2]]);
    expect(await docsOf('prefix', ...cut('session'))).toEqual([[0]]);
    expect(await docsOf('prefix', 'by', '王伟', 'v2.3.1x')).toEqual([[], [], []]);
    const [painter] = await fieldPostings(source, 'prefix', ['painter']);
    expect([...painter!.counts]).toEqual([1, 2]);
  });

  it('lead from one memory to others that are about the same', async () => {
    const numbers = entityNumbersOf(index.columns, 4);
    const hashes = [...numbers].map((number) => index.columns.entityNumbers.hash(number));
    const found = await entityPostings(source, hashes);
    expect(found.map(({ docs }) => [...docs])).toContainEqual([0, 4]);
  });
});

const anyPostings = fc
  .dictionary(fc.integer({ min: 0, max: 60 }).map(String), fc.integer({ min: 1, max: 40_000 }))
  .map((counts) => {
    const docs = Object.keys(counts).map(Number);
    docs.sort((one, other) => one - other);
    return { docs: Int32Array.from(docs), counts: Uint16Array.from(docs, (doc) => counts[doc]!) };
  });

function countsIn(all: readonly TermPostings[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { docs, counts: each } of all)
    docs.forEach((doc, at) => {
      counts.set(doc, Math.min((counts.get(doc) ?? 0) + each[at]!, 0xffff));
    });
  return counts;
}

test.prop([anyPostings, anyPostings])('two terms merged are one that occurs where either does', (one, other) => {
  const both = merged(one, other);
  expect([...both.docs]).toEqual([...both.docs].sort((left, right) => left - right));
  expect(countsIn([both])).toEqual(countsIn([one, other]));
});

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { memoryOrigins } from '#events/version-fields.js';
import type { DocRow } from '#views/rows.js';
import { docRow } from '../test-support/doc-row.js';
import { emptyColumns, putDoc } from './columns.js';
import { entityNumbersOf } from './doc-columns.js';

const anyBank = fc.array(
  fc.record({
    memory: fc.integer({ min: 0, max: 8 }),
    session: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    // A version that could not be projected leaves a gap.
    gap: fc.integer({ min: 0, max: 9 }).map((each) => (each === 0 ? 2 : 0)),
    entities: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
  }),
  { maxLength: 400 },
);

const hashOf = (entity: number): string => `${'8f'.repeat(4)}0000000${entity}`;

function rowsOf(bank: readonly { memory: number; session?: number; gap: number; entities: number[] }[]): DocRow[] {
  let next = 0;
  return bank.map(({ memory, session, gap, entities }) => {
    const doc = next + gap;
    next = doc + 1;
    return docRow({
      doc,
      memoryId: `m${memory}`,
      ...(session === undefined ? {} : { sessionId: `s${session}` }),
      entities: [...new Set(entities)].map(hashOf),
    });
  });
}

/** By what is said of it: the greatest lower doc of the same session and of another memory. */
function naiveBefore(rows: readonly DocRow[], { doc, sessionId, memoryId }: DocRow): number {
  const earlier = rows.filter((row) => row.doc < doc && row.sessionId === sessionId && row.memoryId !== memoryId);
  return sessionId === undefined ? -1 : (earlier.at(-1)?.doc ?? -1);
}

describe('the columns of docs', () => {
  test.prop([anyBank])('know what was said before and after, in whatever order memories take turns', (bank) => {
    const rows = rowsOf(bank);
    const columns = emptyColumns();
    for (const row of rows) putDoc(columns, row);
    const before = new Map(rows.map((row) => [row.doc, naiveBefore(rows, row)]));
    for (const { doc, sessionId } of rows) {
      const after = rows.find((row) => before.get(row.doc) === doc)?.doc ?? -1;
      expect([columns.before[doc], columns.after[doc]]).toEqual([before.get(doc), after]);
      expect(columns.session[doc]).toBe(sessionId === undefined ? -1 : columns.sessions.get(sessionId));
    }
  });

  test.prop([anyBank])('number memories and names, and give each doc its own', (bank) => {
    const rows = rowsOf(bank);
    const columns = emptyColumns();
    for (const row of rows) putDoc(columns, row);
    for (const { doc, memoryId, entities } of rows) {
      expect(columns.memory[doc]).toBe(columns.memories.get(memoryId));
      const numbers = [...entityNumbersOf(columns, doc)];
      expect(numbers.map((number) => columns.entityNumbers.hash(number))).toEqual(entities);
    }
    const docs = new Set(rows.map(({ doc }) => doc));
    for (let doc = 0; doc < columns.docs; doc++)
      if (!docs.has(doc)) expect([columns.memory[doc], ...entityNumbersOf(columns, doc)]).toEqual([-1]);
  });

  test.prop([anyBank, fc.integer({ min: 0, max: 400 })])('do not hang on where a load ended', (bank, cut) => {
    const rows = rowsOf(bank);
    const [whole, parts] = [emptyColumns(), emptyColumns()];
    for (const row of rows) putDoc(whole, row);
    for (const some of [rows.slice(0, cut), rows.slice(cut)]) for (const row of some) putDoc(parts, row);
    expect(parts.before).toEqual(whole.before);
    expect(parts.after).toEqual(whole.after);
  });

  it('put in what a writer did not say', () => {
    const columns = emptyColumns();
    for (const [doc, origin] of memoryOrigins.entries()) putDoc(columns, docRow({ doc, origin }));
    const given = { importance: 0.25, confidence: 0, trust: 0.125, speaker: 'ab'.repeat(8), keyLength: 900, flags: 31 };
    putDoc(columns, docRow({ doc: 5, ...given, at: 1_767_225_600_000 }));
    const rounded = [...columns.trust.subarray(0, 5)].map((trust) => Number(trust.toFixed(3)));
    expect(memoryOrigins.map((origin, index) => [origin, rounded[index]])).toEqual([
      ['user', 1],
      ['agent', 0.8],
      ['tool', 0.6],
      ['import', 0.5],
      ['system', 1],
    ]);
    expect([columns.importance[0], columns.confidence[0], columns.speaker[0]]).toEqual([0.5, 1, 0]);
    expect([columns.importance[5], columns.confidence[5], columns.trust[5]]).toEqual([0.25, 0, 0.125]);
    expect(columns.speaker[5]).toBe(columns.speakers.get('ab'.repeat(8)));
    expect([columns.keyLength[5], columns.flags[5], columns.at[5]]).toEqual([255, 31, 1_767_225_600_000]);
    expect(memoryOrigins[columns.origin[3]!]).toBe('import');
  });
});

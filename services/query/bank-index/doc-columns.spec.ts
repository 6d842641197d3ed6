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

interface Around {
  readonly before: number;
  readonly after: number;
}

/** By what is said of it: turns in the order in which each was first written, each as it read last. */
function naiveAround(rows: readonly DocRow[]): Map<number, Around> {
  const around = new Map<number, Around>();
  for (const [place, { doc, sessionId, memoryId }] of rows.entries()) {
    const sofar = rows.slice(0, place + 1).filter((row) => row.sessionId === sessionId);
    const order = [...new Set(sofar.map((row) => row.memoryId))];
    const at = order.indexOf(memoryId);
    const newest = (turn: string | undefined) => sofar.findLast((row) => row.memoryId === turn)?.doc ?? -1;
    const isTold = sessionId !== undefined;
    // What was not said yet is what will be said first.
    const next = rows.find(
      (row) => row.doc > doc && row.sessionId === sessionId && !order.includes(row.memoryId) && at === order.length - 1,
    );
    const after = order[at + 1] === undefined ? (next?.doc ?? -1) : newest(order[at + 1]);
    around.set(doc, { before: isTold && at > 0 ? newest(order[at - 1]) : -1, after: isTold ? after : -1 });
  }
  return around;
}

describe('the columns of docs', () => {
  test.prop([anyBank])('know what was said before and after, in whatever order memories take turns', (bank) => {
    const rows = rowsOf(bank);
    const columns = emptyColumns();
    for (const row of rows) putDoc(columns, row);
    const around = naiveAround(rows);
    for (const { doc, sessionId } of rows) {
      expect([columns.before[doc], columns.after[doc]]).toEqual(Object.values(around.get(doc)!));
      expect(columns.session[doc]).toBe(sessionId === undefined ? -1 : columns.sessions.get(sessionId));
      const led: number[] = [];
      for (let at = columns.leads[doc]!; at >= 0; at = columns.alsoLed[at]!) led.push(at);
      expect(led.reverse()).toEqual(rows.filter((row) => around.get(row.doc)!.before === doc).map((row) => row.doc));
    }
  });

  it('let what is written again stand where it stood, with what was said before it and after it', () => {
    const columns = emptyColumns();
    for (const [doc, memoryId] of ['a', 'b', 'c', 'b', 'd', 'a', 'b'].entries())
      putDoc(columns, docRow({ doc, memoryId, sessionId: 's' }));
    expect([...columns.before.subarray(0, 7)]).toEqual([-1, 0, 1, 0, 2, -1, 5]);
    expect([...columns.after.subarray(0, 7)]).toEqual([1, 2, 4, 2, -1, 3, 2]);
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
    for (const name of ['after', 'leads', 'alsoLed'] as const) expect(parts[name]).toEqual(whole[name]);
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

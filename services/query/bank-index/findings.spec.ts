import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { FindingRow } from '#views/findings.js';
import { docRow } from '../test-support/doc-row.js';
import { emptyColumns, putDoc } from './columns.js';
import { bankFindings } from './findings.js';

const hash = (name: string): string => Buffer.from(name.padEnd(8, '.')).toString('hex').slice(0, 16);

function reading(seq: number, memory: number, more: Partial<FindingRow> = {}): FindingRow {
  const cost = { tokensRead: 1, tokensWritten: 1, at: '2026-03-01T00:00:00.000Z' };
  return { seq, memoryId: `m${memory}`, version: 1, rules: 1, model: 'm', names: [], times: [], ...cost, ...more };
}

/** Of `docs` memories with a version each, and of the first one a second version. */
function bank(docs: number) {
  const columns = emptyColumns();
  for (let doc = 0; doc < docs; doc++) putDoc(columns, docRow({ doc, memoryId: `m${doc}`, version: 1 }));
  putDoc(columns, docRow({ doc: docs, memoryId: 'm0', version: 2 }));
  return { columns, findings: bankFindings(columns) };
}

describe('what a model found', () => {
  it('is of the version that was read', () => {
    const { columns, findings } = bank(2);
    expect(findings.at(99)).toBeUndefined();
    findings.note([
      reading(5, 0, { version: 2, names: [hash('ann'), hash('ann')], times: [7] }),
      reading(6, 1, { names: [hash('bob'), hash('ann')] }),
    ]);
    const [ann, bob] = [columns.entityNumbers.get(hash('ann'))!, columns.entityNumbers.get(hash('bob'))!];
    const found = findings.at(6)!;
    expect([0, 1, 2].map((doc) => found.namesOf(doc))).toEqual([[], [bob, ann], [ann]]);
    expect([0, 1, 2].map((doc) => found.timesOf(doc))).toEqual([[], [], [7]]);
    expect([ann, bob, 77].map((name) => found.docsOf(name))).toEqual([[1, 2], [1], []]);
  });

  it('is known from the moment on that it was recorded at, and the last reading counts', () => {
    const { columns, findings } = bank(1);
    findings.note([reading(9, 0, { names: [hash('bob')] }), reading(5, 0, { names: [hash('ann')] })]);
    const [ann, bob] = [columns.entityNumbers.get(hash('ann'))!, columns.entityNumbers.get(hash('bob'))!];
    expect(findings.at(4)).toBeUndefined();
    for (const seq of [5, 8]) expect(findings.at(seq)!.namesOf(0)).toEqual([ann]);
    expect(findings.at(8)!.docsOf(bob)).toEqual([]);
    expect(findings.at(9)!.namesOf(0)).toEqual([bob]);
    expect(findings.at(9)!.docsOf(ann)).toEqual([]);
  });

  it('passes over what no doc was loaded for', () => {
    const { findings } = bank(1);
    findings.note([reading(5, 7), reading(6, 0, { version: 9 })]);
    expect(findings.at(9)).toBeUndefined();
  });

  const rows = fc.uniqueArray(
    fc.record({ seq: fc.integer({ min: 1, max: 40 }), memory: fc.nat(3), names: fc.subarray(['ann', 'bob', 'eve']) }),
    { selector: ({ seq }) => seq, maxLength: 20 },
  );
  test.prop([rows, fc.integer({ min: 1, max: 41 }), fc.nat(20)])(
    'is the same in whatever parts it came, at every moment',
    (given, seq, cut) => {
      const all = given.map((row) => reading(row.seq, row.memory, { names: row.names.map(hash) }));
      const [one, other] = [bank(4), bank(4)];
      for (const { columns } of [one, other])
        for (const name of ['ann', 'bob', 'eve']) columns.entityNumbers.add(hash(name));
      one.findings.note(all);
      other.findings.note(all.slice(cut));
      other.findings.note(all.slice(0, cut + 2));
      const expected = [0, 1, 2, 3].map(
        (memory) =>
          given
            .filter((row) => row.memory === memory && row.seq <= seq)
            .sort((a, b) => b.seq - a.seq)[0]
            ?.names.map((name) => one.columns.entityNumbers.get(hash(name))!) ?? [],
      );
      for (const { findings } of [one, other]) {
        const found = findings.at(seq);
        expect([0, 1, 2, 3].map((doc) => found?.namesOf(doc) ?? [])).toEqual(expected);
        for (const name of [1, 2, 3])
          expect(found?.docsOf(name) ?? []).toEqual([0, 1, 2, 3].filter((doc) => expected[doc]!.includes(name)));
      }
    },
  );
});

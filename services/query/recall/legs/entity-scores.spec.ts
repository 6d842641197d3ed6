import { describe, expect, it } from 'vitest';
import type { FindingRow } from '#views/findings.js';
import { type Columns, emptyColumns, putDoc, putSpan } from '../../bank-index/columns.js';
import { bankFindings, type FoundAt } from '../../bank-index/findings.js';
import { pointAt, type Visibility, visibilityAt } from '../../bank-index/visibility.js';
import { docRow } from '../../test-support/doc-row.js';
import { type EntityScores, entityScores } from './entity-scores.js';

const hash = (name: string): string => Buffer.from(name.padEnd(8, '.')).toString('hex').slice(0, 16);

/** Docs that name these; the ones in `gone` were retracted. */
function bank(names: readonly (readonly string[])[], gone: readonly number[] = []) {
  const columns = emptyColumns();
  for (const [doc, own] of names.entries()) add(columns, doc, own, gone.includes(doc));
  const basis = visibilityAt(columns, pointAt(1, 10));
  const named = (name: string) => ({
    postings: {
      docs: Int32Array.from(names.flatMap((own, doc) => (own.includes(name) ? [doc] : []))),
      counts: new Uint16Array(names.length).fill(1),
    },
    number: columns.entityNumbers.get(hash(name)),
  });
  const scores = (asked: readonly string[], eligible = basis.isCurrent, found?: FoundAt) =>
    perDoc(entityScores(asked.map(named), columns, basis, { scored: eligible, current: basis.isCurrent }, found));
  /** Docs in which a model found these. */
  const found = (more: Readonly<Record<number, readonly string[]>>): FoundAt => {
    const findings = bankFindings(columns);
    findings.note(Object.entries(more).map(([doc, own], at) => reading(Number(doc), own, at + 1)));
    return findings.at(10)!;
  };
  return { columns, basis, named, scores, found };
}

/** Taken out before the next question is scored. */
function perDoc({ docs, found, of, most }: EntityScores): Map<number, number> {
  const scores = new Map([...docs.subarray(0, found)].map((doc) => [doc, of[doc]!]));
  expect(most).toBe(Math.max(0, ...scores.values()));
  return scores;
}

function reading(doc: number, names: readonly string[], seq: number): FindingRow {
  const cost = { tokensRead: 1, tokensWritten: 1, at: '2026-03-01T00:00:00.000Z' };
  return { seq, memoryId: `m${doc}`, version: 1, rules: 1, model: 'm', names: names.map(hash), times: [], ...cost };
}

function add(columns: Columns, doc: number, names: readonly string[], isGone = false, seq = 1): void {
  putDoc(columns, docRow({ doc, entities: names.map(hash) }));
  putSpan(columns, {
    memoryId: `m${doc}`,
    doc,
    version: 1,
    status: isGone ? 'retracted' : 'current',
    validFrom: 0,
    validTo: Infinity,
    seqFrom: seq,
    seqTo: Infinity,
    systemFrom: '2026-03-01T00:00:00.000Z',
  });
}

const rarity = (count: number, occurs: number) => Math.log(1 + (count - occurs + 0.5) / (occurs + 0.5));

describe('entityScores', () => {
  it('finds what names what was asked for, by how rare the name is', () => {
    const { scores } = bank([['ann'], ['bob'], ['ann', 'bob'], [], ['ann']]);
    const found = scores(['ann']);
    expect(found.get(0)).toBeCloseTo(rarity(5, 3), 12);
    expect(found.get(3)).toBeUndefined();
    expect(scores(['bob']).get(1)!).toBeGreaterThan(found.get(0)!);
    const both = scores(['ann', 'bob']);
    expect(both.get(2)).toBeCloseTo(rarity(5, 3) + rarity(5, 2), 12);
  });

  it('follows what is named with it to other docs, which weigh less', () => {
    const { scores } = bank([['ann', 'lisbon'], ['lisbon'], ['oslo'], ['ann'], []]);
    const found = scores(['ann']);
    expect([...found.keys()].sort()).toEqual([0, 1, 3]);
    // Of two docs that name Lisbon, one names Ann.
    expect(found.get(1)).toBeCloseTo((1 / 2) * rarity(5, 2) * 0.49, 12);
    expect(found.get(1)!).toBeLessThan(found.get(3)!);
    expect(found.get(0)).toBeCloseTo(found.get(3)! + found.get(1)!, 12);
  });

  it('is led nowhere by what is not current, and counts nothing of it', () => {
    const names = [['ann', 'lisbon'], ['lisbon'], ['ann'], ['lisbon']];
    const { scores } = bank(names, [0]);
    const found = scores(['ann']);
    expect([...found]).toEqual([[2, rarity(3, 1)]]);
    // Asked for, what was retracted is found, as rare as the name is among what is current.
    const all = scores(['ann'], Uint8Array.from([1, 1, 1, 1]));
    expect(all.get(0)).toBe(rarity(3, 1));
  });

  it('takes a name that a model found for one that rules did, also where both did', () => {
    const names = [['ann', 'lisbon'], ['lisbon'], ['oslo'], ['ann'], []];
    const { scores, found } = bank(names);
    const byModel = scores(['ann'], undefined, found({ 1: ['ann'], 0: ['ann'], 4: ['oslo', 'ann'] }));
    const byRules = bank([['ann', 'lisbon'], ['lisbon', 'ann'], ['oslo'], ['ann'], ['oslo', 'ann']]).scores(['ann']);
    expect(byModel).toEqual(byRules);
    expect(byModel.get(2)!).toBeGreaterThan(0);
    expect(scores(['ann'], undefined, found({ 2: ['paris'] }))).toEqual(scores(['ann']));
  });

  it('follows a name that a model found since the bank was asked before to where it stands, and nowhere else', () => {
    const { scores, found } = bank([['ann'], ['bob'], [], ['bob']]);
    scores(['ann']);
    const since = found({ 0: ['paris'], 2: ['paris'] });
    expect([...scores(['ann'], undefined, since).keys()].sort()).toEqual([0, 2]);
  });

  it('finds nothing for what nobody named', () => {
    const { scores } = bank([['ann'], ['bob']]);
    expect([...scores([])]).toEqual([]);
    expect([...scores(['eve'])]).toEqual([]);
  });

  it('scores the same at a basis, whatever was written since', () => {
    const { columns, basis, named } = bank([['ann', 'lisbon', 'oslo'], ['lisbon'], ['oslo'], ['ann']]);
    const ask = () =>
      perDoc(entityScores([named('ann')], columns, basis, { scored: basis.isCurrent, current: basis.isCurrent }));
    const before = ask();
    for (let doc = 4; doc < 30; doc++) add(columns, doc, ['ann', 'lisbon', `new${doc}`], false, 2);
    const late = { docs: Int32Array.from([0, 3, ...Array.from({ length: 26 }, (_, at) => at + 4)]) };
    const postings = { docs: late.docs, counts: new Uint16Array(late.docs.length).fill(1) };
    expect(
      perDoc(
        entityScores([{ ...named('ann'), postings }], columns, basis, {
          scored: basis.isCurrent,
          current: basis.isCurrent,
        }),
      ),
    ).toEqual(before);
    const anew: Visibility = visibilityAt(columns, pointAt(1, 10));
    expect(
      perDoc(
        entityScores([{ ...named('ann'), postings }], columns, anew, {
          scored: anew.isCurrent,
          current: anew.isCurrent,
        }),
      ),
    ).toEqual(before);
  });

  it('follows the same of many names that weigh the same, in whatever order they came', () => {
    const others = Array.from({ length: 20 }, (_, at) => `n${at}`);
    const found = (order: readonly string[]) => {
      const { scores } = bank([['ann', ...order], ...others.map((name) => [name])]);
      return new Set([...scores(['ann']).keys()]);
    };
    expect(found(others).size).toBe(13);
    expect(found([...others].reverse())).toEqual(found(others));
  });
});

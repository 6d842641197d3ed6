import { describe, expect, it } from 'vitest';
import type { Item } from './asking.js';
import { figuresOf } from './figures.js';
import type { Answered } from './measure.js';
import { type QuestionRecord, questionsOf } from './questions.js';
import { qualityTable, reliabilityTable, remarks } from './table.js';
import { worstFirst, worstList, worstOf } from './worst.js';

const about = { set: 'talk', memories: 7, seconds: { importing: 0, embedding: 0 } };
const items = (ids: readonly string[]): Item[] =>
  ids.map((id, at) => ({ id, score: 0.95 - at / 10, text: `text of ${id}`, legs: {} }));

function answered(given: Partial<QuestionRecord>, found: readonly string[], more: Partial<Answered> = {}): Answered {
  const record = { id: 'q', conv_id: 'c1', text: 'Where?', answer: null, ...given };
  const question = questionsOf([record])[0]!;
  return { question, found: items(found), cut: items(found), baseline: [], legs: {}, ms: 1, ...more };
}

const group = (answers: readonly Answered[], name: string) =>
  figuresOf(answers, about).groups.find((each) => each.group === name);

describe('figures of a set', () => {
  it('keeps questions without an answer out of recall, and in the precision of all', () => {
    const answers = [
      answered({ relevant_ids: ['a'], category: 'fact' }, ['a']),
      answered({ relevant_ids: [], category: 'none' }, ['x']),
    ];
    expect(group(answers, 'all')).toMatchObject({ questions: 1, all: { recallAt5: 1 }, precision: 0.5, empty: 0 });
    expect(group(answers, 'no answer in memory')).toMatchObject({ questions: 1, precision: 0, empty: 0 });
    expect(group(answers, 'no answer in memory')?.all).toBeUndefined();
  });

  it('counts what the cut leaves, of the first five in each answer', () => {
    const answer = answered({ relevant_ids: ['a', 'b'] }, ['a', 'b', 'c', 'd', 'e', 'f'], { cut: items(['a']) });
    expect(group([answer], 'all')).toMatchObject({ all: { recallAt5: 1 }, cut: { recallAt5: 0.5 }, precision: 1 });
    const uncut = answered({ relevant_ids: ['a', 'b'] }, ['a', 'b', 'c', 'd', 'e', 'f']);
    expect(group([uncut], 'all')?.precision).toBe(2 / 5);
  });

  it('groups by category, language and whether the subject is named', () => {
    const subjects = new Map([['a', '故宫']]);
    const questions = questionsOf(
      [
        { id: '1', conv_id: 'c', text: '故宫在哪？', relevant_ids: ['a'], category: 'one' },
        { id: '2', conv_id: 'c', text: 'Where is it?', relevant_ids: ['a'], category: 'two' },
      ],
      { subjects },
    );
    const answers = questions.map((question) => ({ ...answered({ relevant_ids: ['a'] }, ['a']), question }));
    expect(figuresOf(answers, about).groups.map((each) => [each.group, each.questions])).toEqual([
      ['all', 2],
      ['one', 1],
      ['two', 1],
      ['in Chinese', 1],
      ['in English', 1],
      ['names its subject', 1],
      ['does not name its subject', 1],
    ]);
  });

  it('names no group where relations of a knowledge base stand for categories', () => {
    const answers = Array.from({ length: 13 }, (_, at) => answered({ relevant_ids: ['a'], category: `P${at}` }, ['a']));
    expect(figuresOf(answers, about).groups.map((each) => each.group)).toEqual(['all']);
  });

  it('says how often what holds now stands above what held before', () => {
    const relevant_groups = { original_info: ['old'], updated_info: ['new'] };
    const asked = { relevant_ids: ['old', 'new'], relevant_groups };
    const answers = [
      answered(asked, ['new', 'old'], { baseline: ['old', 'new'] }),
      answered(asked, ['old', 'new'], { baseline: ['new'] }),
      answered({ relevant_ids: ['a'] }, ['a']),
    ];
    expect(figuresOf(answers, about).updates).toEqual({ of: 2, ours: 1, baseline: 1 });
  });

  it('holds scores against what was seen', () => {
    const { reliability, calibrationError } = figuresOf([answered({ relevant_ids: ['a'] }, ['a', 'x'])], about);
    expect(reliability.map(({ from, observed }) => [from, observed])).toEqual([
      [0.8, 0],
      [0.9, 1],
    ]);
    expect(calibrationError).toBeCloseTo((0.05 + 0.85) / 2, 12);
  });

  it('counts answers with what must not be served', () => {
    const answers = [
      answered({ relevant_ids: ['a'], must_not_ids: ['x'] }, ['a', 'x']),
      answered({ relevant_ids: ['a'], must_not_ids: ['x'] }, ['a']),
    ];
    expect(figuresOf(answers, about).mustNotServed).toEqual({ of: 2, ours: 1 });
  });
});

it('prints one row a group, and a dash where a figure has no meaning', () => {
  const answers = [
    answered({ relevant_ids: ['a'] }, ['a'], { baseline: ['x', 'a'], legs: { vector: ['a'] } }),
    answered({ relevant_ids: [] }, [], {}),
  ];
  const figures = figuresOf(answers, about);
  const [, , all, none] = qualityTable([figures]).split('\n');
  expect(all).toBe(
    '| **talk** | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | .000 | 1.000 | 1.000 | .000 | .631 | 1.000/1.000 |',
  );
  expect(none).toBe('| … no answer in memory | 1 | – | – | – | – | – | – | – | 1.000 | – | – | – | – | – |');
  expect(reliabilityTable([figures])).toContain('| 0.9 to 1.0 | .950 → 1.000 (1) |');
  expect(remarks([figures])).toBe('talk: 7 memories; imported by an earlier run; a question p50 1.0 ms, p99 1.0 ms');
});

describe('the worst questions', () => {
  const texts = [
    { id: 'a', bank: 'c1', text: `the answer,\n${'long '.repeat(40)}` },
    { id: 'x', bank: 'c1', text: 'another' },
  ];

  it('shows what was wanted, where it was found, and what stood above', () => {
    const late = answered({ id: 'late', relevant_ids: ['a'], category: 'fact' }, ['x', 'a']);
    const fine = answered({ id: 'fine', relevant_ids: ['a'] }, ['a']);
    const [worst, other] = worstOf('talk', [fine, late], texts);
    expect(worst).toMatchObject({ id: 'late', wanted: [{ place: 2 }], above: ['text of x'] });
    expect(worst?.wanted[0]?.text).toMatch(/^the answer, long .*…$/);
    expect(worst?.wanted[0]?.text.length).toBe(80);
    expect(other).toMatchObject({ id: 'fine', ndcg: 1, above: [] });
    expect(worstList([worst!])).toContain(
      '1 of 1: no telling word of it stands in what is wanted\ntalk late (fact): nDCG 0.63, BM25 0.00',
    );
  });

  it('puts what the baseline answers better before what nobody finds', () => {
    const all = [
      { ndcg: 0, baselineNdcg: 0 },
      { ndcg: 0.5, baselineNdcg: 1 },
      { ndcg: 0, baselineNdcg: 1 },
    ];
    expect(worstFirst(all).map(({ baselineNdcg }) => baselineNdcg)).toEqual([1, 0, 1]);
  });
});

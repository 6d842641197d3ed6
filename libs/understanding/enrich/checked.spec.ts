import { describe, expect, it } from 'vitest';
import { memoryEnriched } from '#events/memory-enriched.js';
import { shippedVocabulary } from '../relations/vocabulary.js';
import { checked } from './checked.js';

const text = 'Priya moved to Oslo last week.';
const at = { from: '2023-06-05T00:00:00Z', to: '2023-06-12T00:00:00Z' };
const vocabulary = shippedVocabulary();

describe('checked', () => {
  it('keeps what the text bears out, with where its words stand', () => {
    const { findings, dropped } = checked(
      {
        entities: [{ name: 'Priya', kind: 'person' }],
        relations: [
          { subject: 'Priya', relation: 'lives_in', object: 'Oslo', state: 'holds', quote: 'Priya moved to Oslo' },
        ],
        dates: [{ ...at, grain: 'week', exact: true, quote: 'last week' }],
      },
      text,
      vocabulary,
    );
    expect(dropped).toBe(0);
    expect(findings).toEqual({
      entities: [{ name: 'Priya', kind: 'person', words: [0, 5] }],
      relations: [{ subject: 'priya', relation: 'lives_in', object: 'oslo', state: 'holds', words: [0, 19] }],
      dates: [
        {
          from: '2023-06-05T00:00:00.000Z',
          to: '2023-06-12T00:00:00.000Z',
          grain: 'week',
          exact: true,
          words: [20, 29],
        },
      ],
    });
    expect(memoryEnriched.content.parse(findings)).toEqual(findings);
  });

  it('keeps what is stated of whoever says it, named or not', () => {
    const stated = { relation: 'lives_in', object: 'Oslo', state: 'holds', quote: 'moved to Oslo' } as const;
    const relations = ['Ann Lee', 'i', 'Bob'].map((subject) => ({ subject, ...stated }));
    const { findings } = checked({ entities: [], relations, dates: [] }, 'I moved to Oslo', vocabulary, 'Ann Lee');
    expect(findings.relations.map(({ subject }) => subject)).toEqual(['ann lee', 'i']);
  });

  it('drops what was made up', () => {
    const { findings, dropped } = checked(
      {
        entities: [{ name: 'Tomasz', kind: 'person' }],
        relations: [
          { subject: 'Priya', relation: 'lives_in', object: 'Lima', state: 'holds', quote: 'Priya moved to Lima' },
          { subject: 'Priya', relation: 'lives_in', object: 'Lima', state: 'holds', quote: 'Priya moved to' },
          { subject: 'Tomasz', relation: 'lives_in', object: 'Oslo', state: 'holds', quote: 'moved to Oslo' },
          { subject: 'Priya', relation: 'adores', object: 'Oslo', state: 'holds', quote: 'Priya moved to Oslo' },
          { subject: 'Oslo', relation: 'lives_in', object: 'ＯＳＬＯ', state: 'holds', quote: 'Oslo' },
        ],
        dates: [
          { from: at.to, to: at.from, grain: 'week', exact: true, quote: 'last week' },
          { from: 'last week', to: 'today', grain: 'week', exact: true, quote: 'last week' },
          { from: '0001-01-01', to: '2023-01-01', grain: 'year', exact: true, quote: 'last week' },
        ],
      },
      text,
      vocabulary,
    );
    expect(findings).toEqual({ entities: [], relations: [], dates: [] });
    expect(dropped).toBe(9);
  });
});

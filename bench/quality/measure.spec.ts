import { expect, it } from 'vitest';
import type { Item } from './asking.js';
import { depthOf, idsOf, placesByLeg } from './measure.js';
import { questionsOf } from './questions.js';

const record = { id: 'q', conv_id: 'c1', text: 'Where?' };
const byMemory = questionsOf([{ ...record, relevant_ids: ['a'] }])[0]!;
const bySession = questionsOf([{ ...record, relevant_session_ids: ['s1'] }])[0]!;
const item = (id: string, session: string, legs: Record<string, number>): Item => ({
  id,
  session,
  score: 0.5,
  text: id,
  legs,
});

it('orders what each leg found by its own places', () => {
  const items = [
    item('a', 's1', { vector: 3, keyword: 1 }),
    item('b', 's1', { vector: 1 }),
    item('c', 's2', { vector: 2, keyword: 2 }),
  ];
  expect(placesByLeg(items, byMemory)).toEqual({ vector: ['b', 'c', 'a'], keyword: ['a', 'c'] });
  expect(placesByLeg(items, bySession)).toEqual({ vector: ['s1', 's2'], keyword: ['s1', 's2'] });
  expect(placesByLeg([], byMemory)).toEqual({});
});

it('counts a session once, where its first memory stands', () => {
  const items = [item('a', 's2', {}), item('b', 's1', {}), item('c', 's2', {})];
  expect(idsOf(items, bySession)).toEqual(['s2', 's1']);
  expect(idsOf(items, byMemory)).toEqual(['a', 'b', 'c']);
});

it('looks deeper where sessions are wanted, or a stale statement has to be seen', () => {
  const updated = questionsOf([
    { ...record, relevant_ids: ['a'], relevant_groups: { original_info: ['a'], updated_info: ['b'] } },
  ])[0]!;
  expect([byMemory, bySession, updated].map(depthOf)).toEqual([10, 100, 100]);
});

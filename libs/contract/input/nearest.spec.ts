import { expect, it } from 'vitest';
import { nearest } from './nearest.js';

const known = ['query', 'kinds', 'tags', 'top_k', 'session_id', 'valid_at', 'time_range'];

it.each([
  ['kind', 'kinds'],
  ['topK', 'top_k'],
  ['sessionId', 'session_id'],
  ['session', 'session_id'],
  ['querry', 'query'],
  ['validAt', 'valid_at'],
  ['limit', undefined],
  ['x', undefined],
  ['q'.repeat(100), undefined],
])('takes %s for %s', (name, meant) => expect(nearest(name, known)).toBe(meant));

it('takes nothing for a name that has no letter it knows', () => {
  expect(nearest('team', ['团队'])).toBeUndefined();
  expect(nearest('团队', ['team'])).toBeUndefined();
});

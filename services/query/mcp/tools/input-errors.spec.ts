import { expect, it } from 'vitest';
import { connect, textOf } from '../testing/connect.js';

it.each([
  ['memory_search', { query: 'x', top_k: '5' }, 'invalid_input: top_k is "5", but takes a whole number from 1 to 100.'],
  ['memory_search', {}, 'invalid_input: query is missing: it takes text.'],
  ['memory_search', { query: null }, 'invalid_input: query is null, but takes text.'],
  [
    'memory_search',
    { query: 'x', kinds: ['fact'] },
    'invalid_input: kinds[0] is "fact", but takes one of working, episodic, semantic, experience.',
  ],
  [
    'memory_search',
    { query: 'x', limit: 3 },
    'unknown_parameter: limit is no known parameter; the known ones are query, kinds, session_id, task_id, tags, subject, time_range, as_of, valid_at, valid_during, basis, top_k, token_budget, min_score, include, explain.',
  ],
  ['memory_search', { query: 'x', kind: ['semantic'] }, 'Did you mean kinds?'],
  [
    'memory_search',
    { query: 'x', include: ['erased'] },
    'include[0] is "erased", but takes one of current, superseded, retracted, expired, archived, quarantined.',
  ],
  ['memory_search', { query: 'x', time_range: { since: '2026-01-01' } }, 'the known ones of time_range are from, to.'],
  ['memory_write', { content: 5 }, 'invalid_input: content is 5, but takes text, or an object.'],
  ['memory_write', { content: 'x', key: 'k'.repeat(600) }, '(600 characters), but takes text of 1 to 512 characters.'],
  ['memory_write', { content: 'x', ttl: -1 }, 'ttl is -1, but takes a number above 0, or text.'],
  [
    'memory_write',
    { items: Array(501).fill({ content: 'x' }) },
    'too_many: items is a list of 501 entries, but takes a list of 1 to 500 entries',
  ],
  ['memory_write', { items: [] }, 'items is [], but takes a list of 1 to 500 entries'],
  [
    'memory_forget',
    { memory_id: 'x', reason: 'y', mode: 'delete' },
    'mode is "delete", but takes one of retract, archive, erase.',
  ],
  ['memory_forget', { memory_id: 'x' }, 'reason is missing: it takes text of 1 to 2000 characters.'],
  [
    'memory_feedback',
    { memory_id: 'x', outcome: 'useful', recall_id: 'nope' },
    'recall_id is "nope", but takes a UUID, for example ',
  ],
  ['memory_stats', { bank: 'b' }, 'unknown_parameter: bank is no known parameter; there are none.'],
])('%s %j says what is accepted', async (name, args, sentence) => {
  await using connected = await connect();
  const result = await connected.client.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(sentence);
  expect(connected.ports.calls).toEqual([]);
});

it('takes a null for an optional parameter as absent, at every depth', async () => {
  await using connected = await connect();
  await connected.client.callTool({
    name: 'memory_search',
    arguments: { query: 'x', tags: null, top_k: null, time_range: { from: '2026-01-01T00:00:00Z', to: null } },
  });
  expect(connected.ports.calls[0]!.input).toEqual({ query: 'x', time_range: { from: '2026-01-01T00:00:00Z' } });
});

it('keeps nulls inside of content and metadata', async () => {
  await using connected = await connect();
  const args = { content: { owner: null }, metadata: { closed: null }, key: null };
  await connected.client.callTool({ name: 'memory_write', arguments: args });
  expect(connected.ports.calls[0]!.input).toEqual({ content: { owner: null }, metadata: { closed: null } });
});

it('takes a call without arguments', async () => {
  await using connected = await connect();
  expect((await connected.client.callTool({ name: 'memory_stats' })).isError).toBeUndefined();
});

it('reports a prototype key as unknown and pollutes nothing', async () => {
  await using connected = await connect();
  const args = JSON.parse('{"query":"x","__proto__":{"polluted":true}}');
  const result = await connected.client.callTool({ name: 'memory_search', arguments: args });
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect(textOf(result)).not.toContain('internal');
});

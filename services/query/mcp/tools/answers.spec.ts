import { expect, it } from 'vitest';
import { audits } from '#contract/audit.js';
import { connect, textOf } from '../testing/connect.js';
import { fakePorts, fullItem } from '../testing/fake-ports.js';

const id = fullItem.id;

// The SDK's client validates each answer by the listed output schema and throws on a field too many.
it.each([
  {
    name: 'memory_write',
    args: { content: 'x', key: 'k' },
    holds: { memory_id: id, version: 2, status: 'stored', superseded: 1 },
  },
  { name: 'memory_write', args: { items: [{ content: 'x' }, { content: { a: 1 } }] }, holds: { status: 'stored' } },
  { name: 'memory_search', args: { query: 'database', explain: true }, holds: { items: [fullItem], recall_id: 'r1' } },
  {
    name: 'memory_feedback',
    args: { memory_id: id, outcome: 'useful', note: 'it did' },
    holds: { memory_id: id, status: 'rated', weight: 0.1428 },
  },
  { name: 'memory_forget', args: { memory_id: id, reason: 'typo' }, holds: { status: 'forgotten', forgotten: [id] } },
  {
    name: 'memory_forget',
    args: { filter: { tags: ['db'] }, reason: 'old' },
    holds: { status: 'dry_run', confirm: 'c1.token' },
  },
  {
    name: 'memory_restore',
    args: { memory_id: id, reason: 'needed' },
    holds: { status: 'restored', version: 2, item: { ...fullItem } },
  },
  { name: 'memory_history', args: { key: 'project.database' }, holds: { memory_id: id, status: 'current' } },
  { name: 'memory_stats', args: {}, holds: { bank: 'default' } },
  ...audits.map((ask) => ({ name: 'memory_audit', args: { ask }, holds: { ask, basis: 'b1.x', next: 'a1.next' } })),
])('$name answers $args by its output schema, with a text beside it', async ({ name, args, holds }) => {
  await using connected = await connect();
  const result = await connected.client.callTool({ name, arguments: args });
  expect(result.isError).toBeUndefined();
  expect(result.structuredContent).toMatchObject(holds);
  expect(textOf(result)).not.toBe('');
});

it('drops fields of a port that the output schema does not list', async () => {
  const search = async () => ({ items: [{ ...fullItem, docId: 7 }], basis: 'b1.x', recall_id: 'r1', tookMs: 3 });
  await using connected = await connect({ ports: fakePorts({ queries: { search } }) });
  const { structuredContent } = await connected.client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
  expect(structuredContent).toEqual({ items: [fullItem], basis: 'b1.x', recall_id: 'r1' });
});

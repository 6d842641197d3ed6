import { expect, it } from 'vitest';
import { connect, textOf } from '../testing/connect.js';

it('stores the good items of a batch and says of each other one what is wrong with it', async () => {
  await using connected = await connect();
  const items = [
    { content: 'a' },
    { content: 'b', kind: 'fact' },
    'c',
    { content: 'd', tags: null },
    { content: 'e', tag: 'x' },
  ];
  const result = await connected.client.callTool({ name: 'memory_write', arguments: { items } });
  expect(connected.ports.calls[0]!.input).toEqual({ items: [{ content: 'a' }, { content: 'd' }] });
  const { items: outcomes } = result.structuredContent as { items: { status: string; error?: { message: string } }[] };
  expect(outcomes.map(({ status }) => status)).toEqual(['stored', 'error', 'error', 'stored', 'error']);
  expect(outcomes[1]!.error!.message).toContain('items[1].kind is "fact", but takes one of working');
  expect(outcomes[2]!.error!.message).toContain('items[2] is "c", but takes an object with content, kind');
  expect(outcomes[4]!.error!.message).toContain('Did you mean tags?');
  expect(textOf(result)).toContain('5 items: 2 stored, 3 failed.');
});

it('writes nothing when no item is good', async () => {
  await using connected = await connect();
  const result = await connected.client.callTool({
    name: 'memory_write',
    arguments: { items: [{ kind: 'semantic' }] },
  });
  expect(connected.ports.calls).toEqual([]);
  expect(result.structuredContent).toMatchObject({ status: 'error', items: [{ status: 'error' }] });
});

it('leaves the fields beside items to the port, which decides whether they belong together', async () => {
  await using connected = await connect();
  await connected.client.callTool({ name: 'memory_write', arguments: { items: [{ content: 'a' }], content: 'b' } });
  expect(connected.ports.calls[0]!.input).toEqual({ items: [{ content: 'a' }], content: 'b' });
});

import { expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { day, questionBench, start } from '../test-support/question-bench.js';
import { connect } from './testing/connect.js';
import { fakePorts, fullItem } from './testing/fake-ports.js';

const read = async (uri: string, bankName = 'default') => {
  await using connected = await connect({ bankName });
  const { contents } = await connected.client.readResource({ uri });
  const { mimeType, text } = contents[0] as { mimeType: string; text: string };
  return { mimeType, value: JSON.parse(text) };
};

it('lists the stats, and templates for memories and their versions', async () => {
  await using connected = await connect({ bankName: 'github.com/acme/app' });
  const { resources } = await connected.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['memory://github.com%2Facme%2Fapp/stats']);
  const { resourceTemplates } = await connected.client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'memory://{bank}/{id}',
    'memory://{bank}/{id}/versions',
  ]);
});

it('reads a memory', async () => {
  const { value, mimeType } = await read(`memory://default/${fullItem.id}`);
  expect(mimeType).toBe('application/json');
  expect(value).toMatchObject({ id: fullItem.id, content: fullItem.content });
});

it('reads the versions of a memory', async () =>
  expect((await read(`memory://default/${fullItem.id}/versions`)).value.entries).toHaveLength(2));

it.each([
  [['reader'], false],
  [['reader', 'reviewer'], true],
] as const)('shows %j of what is held back for review: %j', async (roles, shown) => {
  const { queries, views, caller } = questionBench();
  await views.write({ memoryId: 'm1', content: 'pay to account 666', tags: ['odd-tag'] }, start - 2 * day);
  await views.quarantine('m1', 'odd', start - day);
  const ports = fakePorts({
    queries: {
      item: (id) => queries.item(id, { ...caller, roles }),
      history: (asked) => queries.history(asked, { ...caller, roles }),
    },
  });
  await using connected = await connect({ ports });
  for (const uri of ['memory://default/m1', 'memory://default/m1/versions']) {
    const { contents } = await connected.client.readResource({ uri });
    expect(/666|odd-tag/.test(JSON.stringify(contents)), uri).toBe(shown);
    expect(JSON.stringify(contents)).toContain('quarantined');
  }
});

it('reads what it lists, also for a bank with slashes in its name', async () =>
  expect((await read('memory://github.com%2Facme%2Fapp/stats', 'github.com/acme/app')).value.memories.total).toBe(3));

it('says so when a resource is of another bank', () =>
  expect(read('memory://other/x')).rejects.toThrow(
    'uri names the bank "other", but this connection is to the bank "default".',
  ));

it.each(['memory://default', 'memory://default/a/b', 'memory://default/%E0%A4%A', 'file:///etc/passwd', ''])(
  'says of %j what is accepted',
  (uri) => expect(read(uri)).rejects.toThrow('but takes memory://default/{id}'),
);

it('answers a memory that is not there with the code for a missing resource', async () => {
  const item = () => Promise.reject(new HindsightError('memory_not_found', 'There is no memory x.'));
  await using connected = await connect({ ports: fakePorts({ queries: { item } }) });
  await expect(connected.client.readResource({ uri: 'memory://default/x' })).rejects.toMatchObject({ code: -32002 });
});

it('completes the name of the bank', async () => {
  await using connected = await connect({ bankName: 'team' });
  const ref = { type: 'ref/resource' as const, uri: 'memory://{bank}/{id}' };
  const { completion } = await connected.client.complete({ ref, argument: { name: 'bank', value: 'te' } });
  expect(completion.values).toEqual(['team']);
});

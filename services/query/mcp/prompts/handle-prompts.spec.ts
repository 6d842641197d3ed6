import { expect, it } from 'vitest';
import { connect } from '../testing/connect.js';

const textOf = async (name: string, args: Record<string, string>) => {
  await using connected = await connect();
  const { messages } = await connected.client.getPrompt({ name, arguments: args });
  return (messages[0]!.content as { text: string }).text;
};

it('makes a question into a search before an answer', async () => {
  const text = await textOf('recall-first', { question: 'Which database do we use?' });
  expect(text).toMatch(/^Question: Which database do we use\?/);
  expect(text).toContain('memory_search');
});

it('distils a session under its ids', async () =>
  expect(await textOf('distil-session', { session_id: 's1', task_id: 't1' })).toContain(
    'each with session_id "s1" and task_id "t1"',
  ));

it('distils a session without ids', async () => expect(await textOf('distil-session', {})).not.toContain('session_id'));

it('names only tools that exist', async () => {
  await using connected = await connect();
  const known = (await connected.client.listTools()).tools.map(({ name }) => name);
  const texts = [await textOf('recall-first', { question: 'x' }), await textOf('distil-session', {})].join();
  for (const [name] of texts.matchAll(/memory_[a-z]+/g)) expect([...known, 'memory_id']).toContain(name);
});

it('asks for what is lacking', () => expect(textOf('recall-first', {})).rejects.toThrow('recall-first needs question'));

it('lists what there is for a prompt that there is not', () =>
  expect(textOf('summarise', {})).rejects.toThrow('there are recall-first, distil-session'));

import { expect, it } from 'vitest';
import type { Role } from '#contract/caller.js';
import { connect, textOf } from './testing/connect.js';

const reading = ['memory_search', 'memory_history', 'memory_stats'];
const writing = ['memory_write', 'memory_feedback', 'memory_forget', 'memory_restore'];

it.each<{ roles: Role[]; tools: string[]; prompts: string[] }>([
  { roles: ['reader'], tools: reading, prompts: ['recall-first'] },
  { roles: ['writer'], tools: writing, prompts: ['distil-session'] },
  {
    roles: ['reader', 'writer', 'auditor'],
    tools: [...reading, ...writing, 'memory_audit'],
    prompts: ['recall-first', 'distil-session'],
  },
  { roles: ['eraser'], tools: ['memory_forget'], prompts: [] },
  { roles: ['auditor'], tools: ['memory_audit'], prompts: [] },
])('lists to $roles what they may call', async ({ roles, tools, prompts }) => {
  await using connected = await connect({ roles });
  const listed = await connected.client.listTools();
  expect(listed.tools.map(({ name }) => name).sort()).toEqual([...tools].sort());
  expect((await connected.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(prompts);
});

it('refuses a call that the role lacks before it reaches the ports', async () => {
  await using connected = await connect({ roles: ['reader'] });
  const result = await connected.client.callTool({ name: 'memory_write', arguments: { content: 'x' } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(/Over HTTP, ask for a token.* Over stdio .* --roles or HINDSIGHT_LEDGER_ROLES/);
  expect(textOf(result)).toMatch(/^forbidden: memory_write needs the role writer; this connection has reader\./);
  expect(connected.ports.calls).toEqual([]);
});

it('offers resources to readers only', async () => {
  await using writer = await connect({ roles: ['writer'] });
  expect(writer.client.getServerCapabilities()?.resources).toBeUndefined();
  await expect(writer.client.readResource({ uri: 'memory://default/stats' })).rejects.toThrow();
});

import { expect, it } from 'vitest';
import { connect } from './testing/connect.js';

it('tells the client what it is and how to use it', async () => {
  await using connected = await connect({ bankName: 'team' });
  expect(connected.client.getServerVersion()).toMatchObject({ name: 'hindsight-ledger', version: '0.0.0' });
  expect(connected.client.getInstructions()).toContain('bank "team"');
  expect(connected.client.getInstructions()).toContain('memory_search');
});

it('stamps calls with the connection, the claimed agent and the tool, whatever the body says', async () => {
  await using connected = await connect();
  await connected.client.callTool({ name: 'memory_search', arguments: { query: 'database' } });
  expect(connected.ports.calls).toEqual([
    {
      verb: 'search',
      input: { query: 'database' },
      caller: {
        bank: 'b0',
        principal: 'local:ada',
        roles: ['reader', 'writer', 'auditor'],
        agent: 'spec',
        tool: 'memory_search',
      },
    },
  ]);
});

it('answers a tool that does not exist with the ones that do', async () => {
  await using connected = await connect({ roles: ['reader'] });
  const result = await connected.client.callTool({ name: 'retrieve_memory', arguments: {} });
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result.content)).toContain('memory_search, memory_history, memory_stats');
});

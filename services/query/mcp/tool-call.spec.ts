import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { createMcpServer } from './create-mcp-server.js';
import { keptLog } from './testing/connect.js';
import { fakePorts } from './testing/fake-ports.js';

/** Sends one message as it is, and gives the answer. */
async function ask(message: string) {
  const ports = fakePorts();
  const caller = { bank: 'b0', principal: 'local:ada', roles: ['reader', 'writer'] as const };
  const server = createMcpServer({ ...ports, caller, bankName: 'default', log: keptLog(), version: '0.0.0' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'spec', version: '1.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  const answered = new Promise<JSONRPCMessage>((resolve) => {
    here.onmessage = resolve;
  });
  await here.send(JSON.parse(message) as JSONRPCMessage);
  const answer = await answered;
  await server.close();
  return { answer, calls: ports.calls };
}

it.each([
  [
    ', "params": {"name": "memory_stats", "arguments": "all"}',
    'arguments is text, but takes an object with the parameters of memory_stats.',
  ],
  [', "params": {"name": "memory_stats", "arguments": [1]}', 'arguments is a list, but takes an object'],
  [', "params": {"name": 7}', 'name is a number, but takes the name of a tool'],
  [', "params": {}', 'name is missing'],
  ['', 'params is missing, but takes an object with name and arguments.'],
])('answers a tools/call with %s by one sentence, as wrong parameters', async (part, sentence) => {
  const { answer } = await ask(`{"jsonrpc": "2.0", "id": 9, "method": "tools/call"${part}}`);
  expect(answer).toMatchObject({ id: 9, error: { code: -32602, message: expect.stringContaining(sentence) } });
});

it('takes null for no arguments', async () => {
  const { calls } = await ask(
    '{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "memory_stats", "arguments": null}}',
  );
  expect(calls).toMatchObject([{ verb: 'stats' }]);
});

it('still knows no other method', async () => {
  const { answer } = await ask('{"jsonrpc": "2.0", "id": 9, "method": "tools/sing"}');
  expect(answer).toMatchObject({ error: { code: -32601 } });
});

const write = (args: string) =>
  ask(`{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "memory_write", "arguments": ${args}}}`);

it('keeps a member named __proto__ in content and metadata', async () => {
  const { calls } = await write('{"content": {"__proto__": {"a": 1}}, "metadata": {"__proto__": 2}, "key": null}');
  expect(JSON.stringify(calls[0]!.input)).toBe('{"content":{"__proto__":{"a":1}},"metadata":{"__proto__":2}}');
});

it('knows no parameter named __proto__', async () => {
  const { answer, calls } = await write('{"content": "x", "__proto__": 1}');
  expect(answer).toMatchObject({
    result: { isError: true, _meta: { 'hindsight-ledger/error': { code: 'unknown_parameter' } } },
  });
  expect(calls).toEqual([]);
});

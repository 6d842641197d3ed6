import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { expect, it } from 'vitest';
import { textOf } from '../testing/connect.js';
import { startHttp } from '../testing/start-http.js';

async function connectSse(url: string, token: string) {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new SSEClientTransport(new URL('/sse', url), {
    requestInit,
    eventSourceInit: {
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...requestInit.headers } }),
    },
  });
  const client = new Client({ name: 'old', version: '1.0.0' });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

it('serves clients of the older transport', async () => {
  await using server = await startHttp();
  await using connected = await connectSse(server.url, 'ada');
  expect((await connected.client.listTools()).tools).toHaveLength(7);
  const result = await connected.client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
  expect(textOf(result)).toContain('PostgreSQL 16');
  expect(server.ports.calls[0]!.caller).toMatchObject({ agent: 'old', principal: 'token:1' });
});

it('keeps a stream to the token that opened it', async () => {
  await using server = await startHttp();
  const stream = await fetch(new URL('/sse', server.url), { headers: { Authorization: 'Bearer ada' } });
  const { value } = await stream.body!.getReader().read();
  const path = /data: (\S+)/.exec(new TextDecoder().decode(value))![1]!;
  const send = (token: string) =>
    fetch(new URL(path, server.url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  expect((await send('bob')).status).toBe(404);
  expect((await send('ada')).status).toBe(202);
});

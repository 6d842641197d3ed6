import { expect, it } from 'vitest';
import { textOf } from '../testing/connect.js';
import { connectHttp, initialize, post, startHttp } from '../testing/start-http.js';

it('serves the tools to the SDK’s client, as the token’s principal', async () => {
  await using server = await startHttp();
  await using connected = await connectHttp(server.url, 'ada');
  expect((await connected.client.listTools()).tools).toHaveLength(7);
  const result = await connected.client.callTool({ name: 'memory_search', arguments: { query: 'database' } });
  expect(textOf(result)).toContain('PostgreSQL 16');
  expect(server.ports.calls[0]!.caller).toMatchObject({ principal: 'token:1', bank: 'b0', agent: 'spec' });
});

it('refuses a write to a token that may only read', async () => {
  await using server = await startHttp();
  await using connected = await connectHttp(server.url, 'eve');
  const result = await connected.client.callTool({ name: 'memory_write', arguments: { content: 'x' } });
  expect(textOf(result)).toContain('forbidden: memory_write needs the role writer');
});

it('keeps a session to the token that opened it', async () => {
  await using server = await startHttp();
  const opened = await post(server.url, initialize);
  const id = opened.headers.get('mcp-session-id')!;
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  expect((await post(server.url, list, { 'Mcp-Session-Id': id })).status).toBe(200);
  const stolen = await post(server.url, list, { 'Mcp-Session-Id': id, Authorization: 'Bearer bob' });
  expect(stolen.status).toBe(404);
  expect(await stolen.json()).toMatchObject({ error: { code: -32001 } });
});

it('ends a session on DELETE', async () => {
  await using server = await startHttp();
  const connected = await connectHttp(server.url, 'ada');
  const id = connected.transport.sessionId!;
  await connected.transport.terminateSession();
  await connected.client.close();
  const after = await post(server.url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { 'Mcp-Session-Id': id });
  expect(after.status).toBe(404);
});

it('asks for an initialize first', async () => {
  await using server = await startHttp();
  const answer = await post(server.url, { jsonrpc: '2.0', id: 2, method: 'tools/list' });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain('Initialize first');
});

it('answers a method that MCP does not know with 405', async () => {
  await using server = await startHttp();
  const headers = { Authorization: 'Bearer ada', 'Content-Type': 'application/json' };
  const opened = await post(server.url, initialize);
  const id = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id')! };
  const answer = await fetch(new URL('/mcp', server.url), { method: 'PUT', headers: { ...headers, ...id } });
  expect(answer.status).toBe(405);
});

it('says what is served for an address that is not', async () => {
  await using server = await startHttp();
  const answer = await fetch(new URL('/mpc', server.url));
  expect(answer.status).toBe(404);
  expect(JSON.stringify(await answer.json())).toContain('POST /mcp');
});

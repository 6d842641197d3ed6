import { expect, it } from 'vitest';
import { connectHttp, initialize, post, startHttp } from '../testing/start-http.js';

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const open = async (url: string) => (await post(url, initialize)).headers.get('mcp-session-id')!;
const use = async (url: string, id: string) => (await post(url, list, { 'Mcp-Session-Id': id })).status;

it('ends a session that nobody uses', async () => {
  await using server = await startHttp({ limits: { sessionIdleMs: 40 } });
  const id = await open(server.url);
  await expect.poll(() => use(server.url, id), { interval: 150, timeout: 5_000 }).toBe(404);
});

it('makes room by ending the session that was unused longest', async () => {
  await using server = await startHttp({ limits: { sessions: 4 } });
  const [first, second] = [await open(server.url), await open(server.url)];
  expect(await use(server.url, first!)).toBe(200);
  const third = await open(server.url);
  expect(await use(server.url, second!)).toBe(404);
  expect(await use(server.url, first!)).toBe(200);
  expect(await use(server.url, third)).toBe(200);
});

it('makes room among the sessions of whoever opens too many, and not among the others’', async () => {
  await using server = await startHttp({ limits: { sessions: 3 } });
  const bob = { Authorization: 'Bearer bob' };
  const id = (await post(server.url, initialize, bob)).headers.get('mcp-session-id')!;
  const flood = [];
  for (let count = 0; count < 6; count++) flood.push(await open(server.url));
  expect((await post(server.url, list, { ...bob, 'Mcp-Session-Id': id })).status).toBe(200);
  expect(await use(server.url, flood[0]!)).toBe(404);
  expect(await use(server.url, flood[5]!)).toBe(200);
});

const get = (url: string, path: string, token: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, url), { headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', ...headers } });

it('lets one token keep half of the sessions in use, so that another always gets in', async () => {
  await using server = await startHttp({ limits: { sessions: 4 } });
  for (let count = 0; count < 2; count++)
    expect((await get(server.url, '/mcp', 'ada', { 'Mcp-Session-Id': await open(server.url) })).status).toBe(200);
  const refused = await post(server.url, initialize);
  expect(refused.status).toBe(503);
  expect(JSON.stringify(await refused.json())).toContain('This token has as many sessions in use as one may have');
  await using bob = await connectHttp(server.url, 'bob');
  expect((await bob.client.listTools()).tools).not.toEqual([]);
});

it('lets one token keep half of the older transport’s streams', async () => {
  await using server = await startHttp({ limits: { sessions: 4 } });
  const asked = [];
  for (const token of ['ada', 'ada', 'ada', 'bob']) asked.push((await get(server.url, '/sse', token)).status);
  expect(asked).toEqual([200, 200, 503, 200]);
});

import { expect, it } from 'vitest';
import { initialize, post, startHttp } from '../testing/start-http.js';

it.each([
  ['/mcp', 'POST'],
  ['/mcp', 'GET'],
  ['/sse', 'GET'],
  ['/messages?sessionId=x', 'POST'],
])('asks for a token at %s', async (path, method) => {
  await using server = await startHttp();
  const answer = await fetch(new URL(path, server.url), { method });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="hindsight-ledger"');
  expect(await answer.json()).toMatchObject({
    jsonrpc: '2.0',
    error: { data: { code: 'unauthenticated', hint: expect.stringContaining('token create') } },
  });
});

it('says that a token is not known, without repeating it', async () => {
  await using server = await startHttp();
  const answer = await post(server.url, initialize, { Authorization: 'Bearer hl_guess' });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect(await answer.text()).not.toContain('hl_guess');
});

it('ends a session whose token is revoked meanwhile', async () => {
  let revoked = false;
  const access = { tokenId: '1', principal: 'p', roles: ['reader' as const], bank: 'b0', bankName: 'default' };
  await using server = await startHttp({ authenticate: async () => (revoked ? undefined : access) });
  const id = (await post(server.url, initialize)).headers.get('mcp-session-id')!;
  revoked = true;
  const after = await post(server.url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { 'Mcp-Session-Id': id });
  expect(after.status).toBe(401);
});

it('answers 500 with an id when tokens cannot be read, and says nothing more', async () => {
  await using server = await startHttp({ authenticate: () => Promise.reject(new Error('secret path')) });
  const answer = await post(server.url, initialize);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('secret');
  expect(server.log.lines.join()).not.toContain('secret');
});

import { expect, it } from 'vitest';
import { localRateLimit } from '#access/rate-limit.js';
import { connectHttp, initialize, post, startHttp } from '../testing/start-http.js';

it('refuses with 429 and when to come again, each token by itself', async () => {
  let now = 0;
  await using server = await startHttp({ rateLimit: localRateLimit(3, () => now) });
  for (let call = 0; call < 3; call++) expect((await post(server.url, initialize)).status).toBe(200);
  const refused = await post(server.url, initialize);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('20');
  expect(await refused.json()).toMatchObject({
    jsonrpc: '2.0',
    error: { data: { code: 'rate_limited', hint: 'Call again in 20 s.' } },
  });
  expect((await post(server.url, initialize, { Authorization: 'Bearer bob' })).status).toBe(200);
  expect((await post(server.url, initialize, { Authorization: 'Bearer nobody' })).status).toBe(401);
  now += 20_000;
  expect((await post(server.url, initialize)).status).toBe(200);
});

it('counts each request of a batch', async () => {
  await using server = await startHttp({ rateLimit: localRateLimit(5) });
  const batch = [1, 2, 3, 4, 5, 6].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  expect((await post(server.url, batch.slice(0, 5))).status).not.toBe(429);
  expect((await post(server.url, { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(429);
});

it('does not count what is no call: streams, the end of a session, health', async () => {
  await using server = await startHttp({ rateLimit: localRateLimit(2) });
  await using ada = await connectHttp(server.url, 'ada');
  await ada.transport.terminateSession();
  for (let probe = 0; probe < 5; probe++) expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
});

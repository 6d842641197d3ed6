import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { startHttp } from '../testing/start-http.js';

const ask = async (url: string, path: string) => {
  const answer = await fetch(new URL(path, url));
  return { status: answer.status, body: await answer.json() };
};

it('lives as long as it answers', async () => {
  await using server = await startHttp();
  expect(await ask(server.url, '/health/live')).toEqual({ status: 200, body: { status: 'live' } });
});

it('is ready when nothing is missing', async () => {
  await using server = await startHttp();
  expect(await ask(server.url, '/health/ready')).toEqual({ status: 200, body: { status: 'ready' } });
});

it('names what is missing', async () => {
  await using server = await startHttp({ missing: async () => ['views are 120 events behind'] });
  expect(await ask(server.url, '/health/ready')).toEqual({
    status: 503,
    body: { status: 'not ready', missing: ['views are 120 events behind'] },
  });
});

it('is ready, and names what it goes on without', async () => {
  const without = async () => ['Redis does not answer'];
  await using server = await startHttp({ without });
  expect(await ask(server.url, '/health/ready')).toEqual({
    status: 200,
    body: { status: 'ready', without: ['Redis does not answer'] },
  });
  const missing = async () => ['the views: no answer'];
  const both = async () => [...(await missing()), ...(await without())];
  await using stopped = await startHttp({ missing, without: both });
  expect(await ask(stopped.url, '/health/ready')).toEqual({
    status: 503,
    body: { status: 'not ready', missing: ['the views: no answer'], without: ['Redis does not answer'] },
  });
});

it('serves metrics, where there are any, to whoever asks under whatever name', async () => {
  const metrics = { contentType: 'text/plain; version=0.0.4', read: async () => 'figures 1\n' };
  await using server = await startHttp({ metrics });
  const { status, headers, text } = await get(`${server.url}/metrics`, { Host: '10.0.0.7:9090' });
  expect([status, headers['content-type'], text]).toEqual([200, metrics.contentType, 'figures 1\n']);
  await using bare = await startHttp();
  expect((await fetch(`${bare.url}/metrics`)).status).toBe(404);
});

/** Of Node itself: fetch sends the Host that it connects to. */
async function get(url: string, sent: Record<string, string>) {
  const [response] = (await once(request(url, { headers: sent }).end(), 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, headers: response.headers, text };
}

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

import { expect, it } from 'vitest';
import { startHttp } from '../testing/start-http.js';

it('listens on this machine only, unless told otherwise', async () => {
  await using server = await startHttp();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
});

it('says so when another program has the port', async () => {
  await using first = await startHttp();
  await expect(startHttp({ port: first.port })).rejects.toMatchObject({
    code: 'unreachable',
    message: `Cannot listen on 127.0.0.1 port ${first.port}: another program listens there.`,
  });
});

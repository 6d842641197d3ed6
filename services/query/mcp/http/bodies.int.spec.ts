import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { initialize, post, startHttp } from '../testing/start-http.js';

it('answers what is no JSON with a JSON-RPC parse error', async () => {
  await using server = await startHttp();
  for (const body of ['{"jsonrpc":', '']) {
    const answer = await post(server.url, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
  }
});

it('answers JSON that is no JSON-RPC with 400', async () => {
  await using server = await startHttp();
  for (const body of [{ hello: 1 }, [], null, 5]) expect((await post(server.url, body)).status).toBe(400);
});

it('answers a body that is too large with 413 and the limit', async () => {
  await using server = await startHttp({ limits: { bodyBytes: 1_000 } });
  const answer = await post(server.url, { ...initialize, padding: 'x'.repeat(2_000) });
  expect(answer.status).toBe(413);
  expect(JSON.stringify(await answer.json())).toContain('larger than 1000 bytes');
});

it('counts the bytes of a body that does not say how long it is', async () => {
  await using server = await startHttp({ limits: { bodyBytes: 1_000 } });
  const chunk = `${(600).toString(16)}\r\n${'x'.repeat(600)}\r\n`;
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ada\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(head + chunk.repeat(3)));
    socket.once('data', (bytes) => resolve(String(bytes)));
    socket.once('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});

it('takes a client that goes away in its upload for no fault of the server', async () => {
  await using server = await startHttp();
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ada\r\nContent-Length: 100\r\n\r\n`;
  const socket = connect(server.port, '127.0.0.1', () => socket.write(`${head}{"jsonrpc"`, () => socket.destroy()));
  await expect.poll(() => server.log.lines.join(), { timeout: 5_000 }).toContain('refused a request');
  expect(server.log.lines.join()).not.toContain('unexpected');
});

it('refuses a compressed body', async () => {
  await using server = await startHttp();
  expect((await post(server.url, initialize, { 'Content-Encoding': 'gzip' })).status).toBe(415);
});

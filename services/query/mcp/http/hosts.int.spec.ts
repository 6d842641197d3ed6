import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startHttp } from '../testing/start-http.js';

/** `fetch` does not let a Host header be chosen. */
function ask(port: number, headers: Record<string, string>, method = 'GET', path = '/sse-not-there') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

// An address that nothing serves: 404 shows that the request got past the check.
it.each([
  ['localhost:PORT', 404],
  ['127.0.0.1:PORT', 404],
  ['[::1]:PORT', 404],
  ['LOCALHOST:PORT', 404],
  ['localhost', 403],
  ['localhost:1', 403],
  ['evil.example', 403],
  ['evil.example:PORT', 403],
  ['127.0.0.1.evil.example:PORT', 403],
])('answers the Host %s with %i', async (host, status) => {
  await using server = await startHttp();
  const answer = await ask(server.port, { Host: host.replace('PORT', String(server.port)) });
  expect(answer.status).toBe(status);
});

it('says which hosts it answers to', async () => {
  await using server = await startHttp({ allowedHosts: ['memory.example.com'] });
  const { body } = await ask(server.port, { Host: 'evil.example' });
  expect(body).toContain(`this server answers to localhost:${server.port}`);
  expect(body).toContain('memory.example.com');
});

it.each([
  ['memory.example.com', 404],
  ['memory.example.com:8443', 404],
  ['other.example.com:99', 404],
  ['other.example.com:98', 403],
])('answers the configured Host %s with %i', async (host, status) => {
  await using server = await startHttp({ allowedHosts: ['memory.example.com', 'other.example.com:99'] });
  expect((await ask(server.port, { Host: host })).status).toBe(status);
});

it.each([
  ['https://evil.example', 403],
  ['null', 403],
  ['http://localhost:1', 403],
  ['https://app.example.com', 404],
  ['http://localhost:PORT', 404],
])('answers the Origin %s with %i', async (origin, status) => {
  await using server = await startHttp({ allowedOrigins: ['https://app.example.com'] });
  const port = String(server.port);
  const answer = await ask(server.port, { Host: `localhost:${port}`, Origin: origin.replace('PORT', port) });
  expect(answer.status).toBe(status);
});

it('lets the browser of an allowed page ask first', async () => {
  await using server = await startHttp({ allowedOrigins: ['https://app.example.com'] });
  const headers = { Host: `localhost:${server.port}`, Origin: 'https://app.example.com' };
  const answer = await ask(server.port, headers, 'OPTIONS', '/mcp');
  expect(answer.status).toBe(204);
  expect(answer.headers['access-control-allow-origin']).toBe('https://app.example.com');
  expect(answer.headers['access-control-allow-headers']).toContain('Authorization');
});

it('lets a probe name it as it likes', async () => {
  await using server = await startHttp();
  expect((await ask(server.port, { Host: '10.0.0.7:3000' }, 'GET', '/health/live')).status).toBe(200);
});

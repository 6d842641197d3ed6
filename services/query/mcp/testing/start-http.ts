import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createHttpApp } from '../http/create-http-app.js';
import type { Access, HttpDeps } from '../http/http-deps.js';
import { keptLog } from './connect.js';
import { type FakePorts, fakePorts } from './fake-ports.js';

const access = (tokenId: string, roles: Access['roles']): Access => ({
  tokenId,
  principal: `token:${tokenId}`,
  roles,
  bank: 'b0',
  bankName: 'default',
});

/** `ada` reads and writes, `bob` does too with another token, `eve` only reads. */
const tokens = new Map([
  ['ada', access('1', ['reader', 'writer'])],
  ['bob', access('2', ['reader', 'writer'])],
  ['eve', access('3', ['reader'])],
]);

/** Our HTTP server on a free port, over fake ports. */
export async function startHttp(options: { ports?: FakePorts; port?: number } & Partial<HttpDeps> = {}) {
  const { ports = fakePorts(), port: wanted = 0, ...rest } = options;
  const log = keptLog();
  const app = await createHttpApp({
    ...ports,
    log,
    version: '0.0.0',
    authenticate: async (bearer) => tokens.get(bearer),
    missing: async () => [],
    ...rest,
  });
  const { port, url } = await app.listen(wanted);
  return { app, log, ports, port, url, [Symbol.asyncDispose]: () => app.close() };
}

/** The SDK's client over Streamable HTTP. */
export async function connectHttp(url: string, token: string) {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit });
  const client = new Client({ name: 'spec', version: '1.0.0' });
  await client.connect(transport);
  return { client, transport, [Symbol.asyncDispose]: () => client.close() };
}

/** A bare POST /mcp. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      Authorization: 'Bearer ada',
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
};

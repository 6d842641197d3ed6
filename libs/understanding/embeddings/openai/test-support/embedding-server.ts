import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { readonly input: readonly string[]; readonly model?: string; readonly input_type?: string };
}

/** What a test may do to an answer before it leaves; true where it has answered by itself. */
export type Behaviour = (asked: Asked, response: ServerResponse) => boolean | undefined | Promise<boolean | undefined>;

/** A server that speaks as OpenAI's does; its vectors are chance, but always the same for a model and a text. */
export interface EmbeddingServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Another one makes other vectors, whatever it is called. */
  model: string;
  /** Of what `/models` names. */
  served: readonly string[];
  dimensions: number;
  /** Added to each number, up to so much, by chance. */
  noise: number;
  behave: Behaviour | undefined;
  /** Resets connections and listens no more, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const asked: Asked[] = [];
  const http = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const path = request.url ?? '';
    if (/\/models(?:\?|$)/.test(path)) {
      json(response, 200, { data: server.served.map((id) => ({ id })) });
      return;
    }
    const body = JSON.parse(text) as Asked['body'];
    const one = { path, authorization: request.headers.authorization, body };
    asked.push(one);
    if (await server.behave?.(one, response)) return;
    json(response, 200, {
      data: body.input.map((each, index) => ({ index, embedding: vectorOf(server, body, each) })),
    });
  }
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  const server: EmbeddingServer = {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    model: 'small',
    served: ['small'],
    dimensions: 64,
    noise: 0,
    behave: undefined,
    async stop() {
      if (!http.listening) return;
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
    async start() {
      await once(http.listen(port, '127.0.0.1'), 'listening');
    },
  };
  return server;
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}

/** As a model would: the same each time, of no particular length. */
export function vectorOf(
  { model, dimensions, noise }: Pick<EmbeddingServer, 'model' | 'dimensions' | 'noise'>,
  { input_type = '' }: Asked['body'],
  text: string,
): number[] {
  const numbers: number[] = [];
  for (let round = 0; numbers.length < dimensions; round++)
    for (const byte of createHash('sha256').update(`${model} ${input_type} ${round} ${text}`).digest())
      numbers.push((byte - 127.5) / 100 + (Math.random() - 0.5) * 2 * noise);
  return numbers.slice(0, dimensions);
}

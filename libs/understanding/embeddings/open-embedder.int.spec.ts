import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { Embedder, VectorSpace } from './embedder.js';
import { openEmbedder } from './open-embedder.js';
import { probeText } from './openai/probe.js';
import { type EmbeddingServer, startEmbeddingServer } from './openai/test-support/embedding-server.js';
import { passageSpace } from './passages.js';

let server: EmbeddingServer;
const open: Embedder[] = [];
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await server.stop();
});

function embedder(variables: Record<string, string>, spaces: VectorSpace[] = []): Embedder | undefined {
  const env = Object.fromEntries(Object.entries(variables).map(([name, value]) => [`HINDSIGHT_LEDGER_${name}`, value]));
  const log = { info: () => undefined, warn: () => undefined };
  const one = openEmbedder(loadConfig({ env: { ...env, XDG_DATA_HOME: '/nowhere' } }).config, {
    log,
    spaces: async () => spaces,
  });
  if (one) open.push(one);
  return one;
}

it('is the model that ships unless something else is said, not loaded yet; or none', () => {
  expect(embedder({})).toMatchObject({ name: 'e5' });
  expect(embedder({})!.state()).toEqual({ state: 'idle' });
  expect(embedder({ EMBEDDINGS: 'none' })).toBeUndefined();
});

it('is a server, told as the settings say, that is asked the same question once', async () => {
  const one = embedder({
    EMBEDDINGS: server.url,
    EMBEDDINGS_MODEL: 'large',
    EMBEDDINGS_API_KEY: 'sk-1234',
    EMBEDDINGS_QUERY_PREFIX: 'query: ',
    EMBEDDINGS_INPUT_TYPES: 'search_query,search_document',
  })!;
  const [vector] = await one.embed(['tea'], 'query');
  expect(await one.embed(['tea'], 'query')).toEqual([vector]);
  expect(server.asked.map(({ body }) => [body.input, body.input_type])).toEqual([
    [[probeText], 'search_document'],
    [[`query: ${probeText}`], 'search_query'],
    [['query: tea'], 'search_query'],
  ]);
  expect(
    server.asked.every(({ authorization, body }) => authorization === 'Bearer sk-1234' && body.model === 'large'),
  ).toBe(true);
});

it('keeps the name of a space of passages that are kept, though the server’s last digits differ', async () => {
  server.noise = 0.002;
  const model = await embedder({ EMBEDDINGS: server.url })!.space();
  for (let at = 0; at < 10; at++)
    expect(await embedder({ EMBEDDINGS: server.url }, [passageSpace(model)])!.space()).toEqual(model);
});

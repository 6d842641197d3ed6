import type { Config } from '#config/settings.js';
import { cachedQueries } from './cached-queries.js';
import { openE5 } from './e5/open-e5.js';
import type { Embedder, VectorSpace } from './embedder.js';
import { openOpenAiEmbedder } from './openai/open-openai.js';
import { modelOfPassages } from './passages.js';

export type EmbeddingSettings = Pick<
  Config,
  | 'embeddings'
  | 'embeddingsModel'
  | 'embeddingsApiKey'
  | 'embeddingsQueryPrefix'
  | 'embeddingsPassagePrefix'
  | 'embeddingsInputTypes'
>;

export interface OpenEmbedderOptions {
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Spaces of passages that vectors are kept of: `views.vectors.spaces()`. A server's model that is found again is told by them. */
  readonly spaces?: (() => Promise<readonly VectorSpace[]>) | undefined;
}

/** The embeddings that the settings name, with the last questions kept in memory; undefined for none. Nothing is loaded or asked yet. */
export function openEmbedder(config: EmbeddingSettings, { log, spaces }: OpenEmbedderOptions): Embedder | undefined {
  if (config.embeddings === 'none') return undefined;
  return cachedQueries(config.embeddings === 'e5' ? openE5({ log }) : server(config, { log, spaces }));
}

function server(config: EmbeddingSettings, { log, spaces }: OpenEmbedderOptions): Embedder {
  const [query, passage] = config.embeddingsInputTypes;
  return openOpenAiEmbedder({
    url: config.embeddings,
    model: config.embeddingsModel,
    apiKey: config.embeddingsApiKey,
    forms: {
      query: { prefix: config.embeddingsQueryPrefix, inputType: query },
      passage: { prefix: config.embeddingsPassagePrefix, inputType: passage },
    },
    known: spaces && (async () => (await spaces()).flatMap((space) => modelOfPassages(space) ?? [])),
    log,
  });
}

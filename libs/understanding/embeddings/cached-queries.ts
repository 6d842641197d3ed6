import { hash } from 'node:crypto';
import { boundedCache } from '#sealing/bounded-cache.js';
import type { Embedder, EmbedOptions } from './embedder.js';

/** Vectors kept: of 384 dimensions some 0.8 MB. */
const usual = 512;

/**
 * The same question again costs no embedding: the vectors of what was asked last stay in this process, by hash of the text, so that no
 * question does. Texts to be kept are passed on: they have a cache of their own. Nobody may change the vectors that it hands out.
 */
export function cachedQueries(embedder: Embedder, { max = usual }: { readonly max?: number } = {}): Embedder {
  const kept = boundedCache<Float32Array>(max);
  /** Asked for by several at once: computed once. */
  const coming = new Map<string, Promise<Float32Array>>();

  async function vectorOf(text: string, options: EmbedOptions): Promise<Float32Array> {
    const space = options.space ?? (await embedder.space());
    const place = hash('sha256', `${space.model}\n${text}`, 'base64url');
    const known = kept.get(place) ?? (options.signal ? undefined : coming.get(place));
    if (known) return known;
    // Bound to its space: a server's model may change before it answers.
    const asked = embedder.embed([text], 'query', { ...options, space }).then(([vector]) => {
      kept.set(place, vector!);
      return vector!;
    });
    // One that its caller may stop is nobody else's.
    if (options.signal) return asked;
    coming.set(place, asked);
    return asked.finally(() => coming.delete(place));
  }

  return {
    ...embedder,
    async embed(texts, role, options = {}) {
      const [text] = texts;
      if (role !== 'query' || texts.length !== 1) return embedder.embed(texts, role, options);
      return [await vectorOf(text!, options)];
    },
    async close() {
      kept.clear();
      await embedder.close();
    },
  };
}

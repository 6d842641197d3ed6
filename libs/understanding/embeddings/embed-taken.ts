import { isHindsightError } from '#contract/errors.js';
import type { Embedder, EmbeddingRole, EmbedOptions } from './embedder.js';

/**
 * As `embed`, where one text that a server takes in no form must not keep all others waiting for ever.
 * @returns undefined in its place
 * @throws HindsightError embeddings_unavailable
 */
export async function embedTaken(
  embedder: Embedder,
  texts: readonly string[],
  role: EmbeddingRole,
  options?: EmbedOptions,
): Promise<(Float32Array | undefined)[]> {
  try {
    return await embedder.embed(texts, role, options);
  } catch (error) {
    const refused = refusedIn(error);
    if (refused.size === 0) throw error;
    const left = texts.filter((_, at) => !refused.has(at));
    const vectors = left.length > 0 ? await embedTaken(embedder, left, role, options) : [];
    let next = 0;
    return texts.map((_, at) => (refused.has(at) ? undefined : vectors[next++]));
  }
}

function refusedIn(error: unknown): ReadonlySet<number> {
  const refused = isHindsightError(error, 'embeddings_unavailable') ? error.details.refused : undefined;
  return new Set(Array.isArray(refused) ? (refused as number[]) : []);
}

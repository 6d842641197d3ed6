import type { StatsOutput } from '#contract/stats.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import type { View } from '../basis/open-view.js';

/** How many versions of a bank have been embedded. While the model is not loaded, by the one that was used last. */
export async function vectorProgress(
  embedder: Embedder | undefined,
  { bank, reader, index }: Pick<View, 'bank' | 'reader' | 'index'>,
): Promise<StatsOutput['vectors']> {
  if (!embedder) return undefined;
  const { state } = embedder.state();
  const space = state === 'ready' ? passageSpace(await embedder.space()) : (await reader.vectorSpaces(bank)).at(-1);
  const mark = space ? (await reader.vectorState(bank, space)).mark : 0;
  const { docs } = index.columns;
  return { model: embedder.name, state, done: Math.min(mark, docs), of: docs };
}

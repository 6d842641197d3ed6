import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import type { ViewsReader } from '#views/reader.js';

/** Milliseconds that one question waits for the model; keywords answer where it takes longer. */
const defaultWithin = 5_000;

/**
 * For a process that asks one question and ends: waits for the model, which a server loads after its first answer. Only where vectors of the
 * bank were made: without them it would find nothing more.
 */
export async function readyToAsk(
  embedder: Embedder | undefined,
  reader: Pick<ViewsReader, 'vectorSpaces'>,
  bank: string,
  withinMs = defaultWithin,
): Promise<void> {
  if (!embedder || (await reader.vectorSpaces(bank)).length === 0) return;
  embedder.warm();
  const waiting = new AbortController();
  const late = sleep(withinMs, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([embedder.space().catch(() => undefined), late]);
  waiting.abort();
}

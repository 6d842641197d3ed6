import { setTimeout as sleep } from 'node:timers/promises';
import type { Projector } from '#projector/create-projector.js';
import type { Embedding } from '#projector/embedding/create-embedding.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import type { ViewsReader } from '#views/reader.js';

/** Milliseconds that one question waits for the model and for what is not embedded yet; keywords answer what takes longer. */
const defaultWithin = 5_000;

/** What a process that asks one question has to make itself ready with. */
export interface Asking {
  readonly embedder?: Embedder | undefined;
  /** Where this process may make vectors. */
  readonly embedding?: Pick<Embedding, 'untilDone'> | undefined;
  readonly projector: Pick<Projector, 'catchUp'>;
  readonly reader: Pick<ViewsReader, 'vectorSpaces'>;
  readonly bank: string;
}

/**
 * For a process that asks one question and ends: embeds what was written since and waits for the model, both of which a server does after its
 * first answer. Where it may embed nothing, it waits for the model only if vectors of the bank were made: without them it would find nothing
 * more. Never throws: keywords answer, and the answer says why.
 */
export async function readyToAsk(
  { embedder, embedding, projector, reader, bank }: Asking,
  withinMs = defaultWithin,
): Promise<void> {
  if (!embedder) return;
  if (!embedding && (await reader.vectorSpaces(bank)).length === 0) return;
  embedder.warm();
  const waiting = new AbortController();
  const late = sleep(withinMs, undefined, { signal: waiting.signal }).catch(() => undefined);
  const ready = async (): Promise<void> => {
    await embedder.space();
    if (!embedding) return;
    await projector.catchUp();
    await embedding.untilDone({ signal: waiting.signal });
  };
  await Promise.race([ready().catch(() => undefined), late]);
  waiting.abort();
}

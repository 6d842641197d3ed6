import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import type { Embedder, EmbedderState, EmbeddingRole } from '../embedder.js';

export interface FakeEmbedderOptions {
  readonly model?: string;
  readonly dimensions?: number;
  /** Whether it has to be warmed before it is ready. */
  readonly cold?: boolean;
  /** Milliseconds that a text takes. */
  readonly perText?: number;
  /** Texts that hold it are taken in no form. */
  readonly refuses?: string;
}

/** Vectors by hash: texts point the same way as far as they share words. The same for the same texts, in every process. */
export interface FakeEmbedder extends Embedder {
  /** All that was embedded, in order. */
  readonly asked: { readonly text: string; readonly role: EmbeddingRole }[];
  readonly warmed: number;
  /** Every call is refused with this from now on, or with nothing. */
  fail(reason: string | undefined): void;
}

export function fakeEmbedder(options: FakeEmbedderOptions = {}): FakeEmbedder {
  const { model = 'fa4e', dimensions = 32, cold = false, perText = 0, refuses } = options;
  const asked: { text: string; role: EmbeddingRole }[] = [];
  let state: EmbedderState = cold ? 'idle' : 'ready';
  let reason: string | undefined;
  let warmed = 0;
  const insist = (): void => {
    if (reason !== undefined) throw new HindsightError('embeddings_unavailable', reason);
  };
  return {
    name: 'fake',
    asked,
    get warmed() {
      return warmed;
    },
    fail(why) {
      reason = why;
      state = why === undefined ? 'ready' : 'failed';
    },
    async space() {
      insist();
      while (state !== 'ready') await sleep(1, undefined, { ref: false });
      return { model, dimensions };
    },
    state: () => ({ state, ...(reason === undefined ? {} : { reason }) }),
    warm() {
      warmed++;
      if (state === 'idle') state = 'ready';
    },
    async embed(texts, role, { signal } = {}) {
      const vectors: Float32Array[] = [];
      const refused = texts.flatMap((text, at) => (refuses !== undefined && text.includes(refuses) ? [at] : []));
      if (refused.length > 0)
        throw new HindsightError('embeddings_unavailable', `${refused.length} texts are refused.`, { refused });
      for (const text of texts) {
        if (perText > 0) await sleep(perText, undefined, { signal });
        signal?.throwIfAborted();
        insist();
        asked.push({ text, role });
        vectors.push(vectorOf(text, dimensions));
      }
      return vectors;
    },
    async close() {},
  };
}

/** A unit vector: the sum of those of its words. */
export function vectorOf(text: string, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  sum[0] = 0.05;
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []) {
    const seed = createHash('sha256').update(word).digest();
    for (let at = 0; at < dimensions; at++) sum[at]! += (seed[at % seed.length]! - 127.5) / 127.5;
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

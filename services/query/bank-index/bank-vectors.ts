import { setImmediate as breathe } from 'node:timers/promises';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { packedDirection, quantize } from '#understanding/embeddings/scan/packed-vector.js';
import type { ViewsReader } from '#views/reader.js';
import type { StoredVector, VectorState } from '#views/vectors.js';

/** Vectors read at a time: some 4 MB, and 30 ms between two turns of the event loop. */
const vectorsAtOnce = 10_000;

/** Vectors of one bank and space, as they stood at a moment. */
export interface BankVectors {
  /**
   * Cosines of a question with each doc below `docs`, -1 to 1, the same to the bit on every machine. NaN for a doc without a vector, and for
   * docs from `mark` on.
   */
  cosines(query: Float32Array, docs: number, mark: number): Float32Array;
}

/** They only grow: what was purged changes the views' stamp, and with it the index. */
export interface LoadedVectors {
  /** Reads what was made since, up to a state that the store has come to. */
  refresh(reader: ViewsReader, to: VectorState): Promise<void>;
  /** Without what was made anew after so many changes. */
  at(changes: number): BankVectors;
}

/** 100,000 vectors of 384 dimensions take 39 MB, and half as much again while there is room for more. */
export function emptyBankVectors(bank: string, space: VectorSpace): LoadedVectors {
  const { dimensions } = space;
  let numbers = new Int8Array(0);
  /** 0 where there is no vector. */
  let scales = new Float32Array(0);
  const changedAt = new Map<number, number>();
  let loaded: VectorState = { mark: 0, changes: 0, blanked: 0 };
  let refreshing: Promise<unknown> = Promise.resolve();

  const roomFor = (docs: number): void => {
    if (docs <= scales.length) return;
    const room = Math.max(256, Math.ceil(docs * 1.5));
    const grown = new Int8Array(room * dimensions);
    grown.set(numbers);
    numbers = grown;
    const scaled = new Float32Array(room);
    scaled.set(scales);
    scales = scaled;
  };

  const put = ({ doc, packed, changed }: StoredVector): void => {
    // What is no vector of this space is damaged: the doc is answered by keywords.
    if (packed.byteLength !== dimensions + 4) return;
    const { numbers: own, scale } = packedDirection(packed);
    if (!(scale > 0 && scale < Infinity)) return;
    roomFor(doc + 1);
    numbers.set(own, doc * dimensions);
    scales[doc] = scale;
    if (changed > 0) changedAt.set(doc, changed);
  };

  const load = async (reader: ViewsReader, to: VectorState): Promise<void> => {
    const known = loaded;
    if (to.changes > known.changes && known.mark > 0)
      for (const row of await reader.vectorsChangedAfter(bank, space, known.changes)) put(row);
    if (to.mark > known.mark) roomFor(to.mark);
    for (let from = known.mark; from < to.mark; ) {
      const rows = await reader.vectorsFrom(bank, space, from, vectorsAtOnce);
      for (const row of rows) put(row);
      if (rows.length < vectorsAtOnce) break;
      from = rows.at(-1)!.doc + 1;
      await breathe();
    }
    loaded = { ...to, mark: Math.max(to.mark, known.mark), changes: Math.max(to.changes, known.changes) };
  };

  return {
    refresh(reader, to) {
      const mine = refreshing.then(() => load(reader, to));
      refreshing = mine.catch(() => undefined);
      return mine;
    },
    at: (changes) => ({
      cosines(query, docs, mark) {
        const { numbers: asked, scale } = quantize(query);
        const found = new Float32Array(docs).fill(Number.NaN);
        const end = Math.min(docs, mark, scales.length);
        for (let doc = 0, row = 0; doc < end; doc++, row += dimensions) {
          if (scales[doc] === 0) continue;
          let sum = 0;
          for (let at = 0; at < dimensions; at++) sum += numbers[row + at]! * asked[at]!;
          found[doc] = sum * Math.fround(scale * scales[doc]!);
        }
        for (const [doc, changed] of changedAt) if (changed > changes && doc < docs) found[doc] = Number.NaN;
        return found;
      },
    }),
  };
}

import { setImmediate as breathe } from 'node:timers/promises';
import type { Vault } from '#sealing/vault.js';
import { type BlockEntry, splitEntries, tagBytes } from '#sealing/vector-block.js';
import { manyVectorsBoxes, type VectorBoxes, vectorBoxes } from '#sealing/vector-box.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { scaleBytes } from '#understanding/embeddings/scan/packed-vector.js';
import { openScanner, type Scanner } from '#understanding/embeddings/scan/scanner.js';
import type { ViewsReader } from '#views/reader.js';
import {
  docsPerVectorBlock,
  noVectors,
  type StoredVector,
  type VectorBlock,
  type VectorState,
} from '#views/vectors.js';

/** Vectors read at a time: some 5 MB. */
const vectorsAtOnce = 10_000;
/** Vectors opened between turns of the event loop: some 3 ms (bench/vectors.ts). */
const openedAtOnce = 250;

/** Vectors of one bank and space, as they stood at a moment. */
export interface BankVectors {
  /**
   * Cosines of a question with each doc below `docs`, -1 to 1, the same to the bit on every machine. NaN for a doc without a vector, and for
   * docs from `mark` on.
   * @param into where they are put, and what is given back; as long as there are docs, or longer
   */
  cosines(query: Float32Array, docs: number, mark: number, into?: Float32Array): Float32Array;
}

/** What was opened by who held these vectors before. */
export interface OpenedBefore {
  /** Packed bytes of a row that has not changed since; undefined for any other. */
  of(row: StoredVector): Uint8Array | undefined;
}

/** They only grow: what was purged changes the views' stamp, and with it the index. */
export interface LoadedVectors {
  /** How many of those that were read are damaged, and left out. */
  readonly damaged: number;
  /** Bytes that they take. */
  readonly bytes: number;
  /** Reads what was made since, up to a state that the store has come to. */
  refresh(reader: ViewsReader, to: VectorState): Promise<void>;
  /** Without what was made anew after so many changes. */
  at(changes: number): BankVectors;
  readonly opened: OpenedBefore;
}

/**
 * A byte a dimension and some more: 100,000 vectors of 384 dimensions take 40 MB.
 * @param vault that opens them, once for as long as they are held
 * @param before the views' stamp changed: an erasure of one memory is no reason to open a whole bank anew
 */
export function emptyBankVectors(bank: string, space: VectorSpace, vault: Vault, before?: OpenedBefore): LoadedVectors {
  const { dimensions } = space;
  let scanner: Scanner | undefined;
  /** 1 for each doc that has a vector. */
  let has = new Uint8Array(0);
  /** The last eight bytes of each row as it was sealed, in two numbers: a tag, so other bytes have another one. */
  let tags = new Uint32Array(0);
  let former = before;
  const changedAt = new Map<number, number>();
  const damaged = new Set<number>();
  let loaded = noVectors;
  let refreshing: Promise<unknown> = Promise.resolve();

  /** One whose key is gone was erased a moment ago: it is as if it were purged already. */
  const put = async (into: Scanner, boxes: VectorBoxes, { doc, sealed, changed }: StoredVector): Promise<void> => {
    const packed = former?.of({ doc, sealed, changed }) ?? (await boxes.open(doc, sealed));
    damaged.delete(doc);
    if (packed === 'gone') return;
    if (packed === 'damaged' || packed.byteLength !== dimensions + scaleBytes) {
      damaged.add(doc);
      return;
    }
    hold(into, { doc, changed, packed, tag: sealed.subarray(-tagBytes) });
  };

  const hold = (into: Scanner, { doc, changed, packed, tag }: BlockEntry): void => {
    into.put(doc, packed);
    if (doc >= has.length) {
      has = grown(has, doc + 1);
      tags = widened(tags, has.length * 2);
    }
    has[doc] = 1;
    tags.set(tagOf(tag), doc * 2);
    if (changed > 0) changedAt.set(doc, changed);
  };

  const putAll = async (into: Scanner, rows: readonly StoredVector[]): Promise<void> => {
    const boxes = vectorBoxes(vault, bank, space);
    for (const [at, row] of rows.entries()) {
      await put(into, boxes, row);
      if (at % openedAtOnce === openedAtOnce - 1) await breathe();
    }
  };

  /** What a block holds is what its rows hold. @returns false where it does not open: then its rows do, or say why not */
  const putBlock = async (into: Scanner, { first, sealed }: VectorBlock): Promise<boolean> => {
    const plain = await manyVectorsBoxes(vault, bank, space).open(first, sealed);
    const entries = typeof plain === 'string' ? undefined : splitEntries(plain, dimensions + scaleBytes);
    for (const { doc, changed, tag, packed } of entries ?? []) hold(into, { doc, changed, packed, tag });
    await breathe();
    return entries !== undefined;
  };

  const putRows = async (into: Scanner, reader: ViewsReader, start: number, end: number): Promise<void> => {
    for (let from = start; from < end; ) {
      const rows = await reader.vectorsFrom(bank, space, from, Math.min(vectorsAtOnce, end - from));
      await putAll(
        into,
        rows.filter(({ doc }) => doc < end),
      );
      from = rows.length === 0 ? end : rows.at(-1)!.doc + 1;
    }
  };

  const load = async (reader: ViewsReader, to: VectorState): Promise<void> => {
    const known = loaded;
    if (to.mark === 0) return;
    scanner ??= await openScanner(dimensions);
    if (to.changes > known.changes && known.mark > 0)
      await putAll(scanner, await reader.vectorsChangedAfter(bank, space, known.changes));
    for (let from = known.mark; from < to.mark; ) {
      // What came since is less than a block.
      const isFirst = known.mark === 0;
      const block = isFirst ? await reader.vectorBlockFrom?.(bank, space, from) : undefined;
      const end = Math.min(block?.first ?? to.mark, to.mark);
      await putRows(scanner, reader, from, end);
      from = end;
      if (!block || from >= to.mark) continue;
      from = block.first + docsPerVectorBlock;
      if (!(await putBlock(scanner, block))) await putRows(scanner, reader, block.first, from);
    }
    loaded = { ...to, mark: Math.max(to.mark, known.mark), changes: Math.max(to.changes, known.changes) };
    former = undefined;
  };

  return {
    get damaged() {
      return damaged.size;
    },
    get bytes() {
      return (scanner?.bytes ?? 0) + has.length + tags.byteLength;
    },
    refresh(reader, to) {
      const mine = refreshing.then(() => load(reader, to));
      refreshing = mine.catch(() => undefined);
      return mine;
    },
    opened: {
      of(row) {
        const [one, other] = tagOf(row.sealed);
        const isSame = has[row.doc] === 1 && tags[row.doc * 2] === one && tags[row.doc * 2 + 1] === other;
        return isSame ? scanner!.packed(row.doc) : former?.of(row);
      },
    },
    at: (changes) => ({
      cosines(query, docs, mark, found = new Float32Array(docs)) {
        const end = Math.min(docs, mark, has.length);
        if (end > 0) scanner!.scores(query, found, 0, end);
        found.fill(Number.NaN, end, docs);
        for (const [doc, changed] of changedAt) if (changed > changes && doc < docs) found[doc] = Number.NaN;
        return found;
      },
    }),
  };
}

/** Of sealed bytes; none of what is shorter is opened. */
function tagOf(sealed: Uint8Array): [number, number] {
  if (sealed.byteLength < tagBytes) return [0, 0];
  const view = new DataView(sealed.buffer, sealed.byteOffset + sealed.byteLength - tagBytes, tagBytes);
  return [view.getUint32(0), view.getUint32(4)];
}

function widened(from: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}

function grown(from: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const to = new Uint8Array(Math.max(256, Math.ceil(needed * 1.5)));
  to.set(from);
  return to;
}

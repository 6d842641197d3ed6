import type { VectorSpace } from '#understanding/embeddings/embedder.js';

/**
 * How far the vectors of a bank have come in a space. A mark only moves forward, `changes` only grows: who knows both knows which vectors
 * there were.
 */
export interface VectorState {
  /** All docs below it have been looked at; of those that were erased there is none. */
  readonly mark: number;
  /** Counts what happened to vectors below a mark: purges of the bank, and batches that were made anew. */
  readonly changes: number;
  /** `changes` when a vector of what was not erased was blanked last, since its window held what was; 0 for never. */
  readonly blanked: number;
}

/** Before the first vector of a bank. */
export const noVectors: VectorState = { mark: 0, changes: 0, blanked: 0 };

/** The vector of a version, packed (packed-vector.ts) and sealed (vector-box.ts) before it comes here: no store holds one that says anything. */
export interface VectorRow {
  readonly doc: number;
  readonly sealed: Uint8Array;
}

/** One that is made. */
export interface MadeVector extends VectorRow {
  /** The doc that was embedded with it: when that is erased, this vector is made anew. */
  readonly before?: number | undefined;
  /** Before it was sealed: for a store that `takesPacked`. */
  readonly packed?: Uint8Array | undefined;
}

export interface StoredVector extends VectorRow {
  /** Made anew at this change; of those that stand as they were made first it is 0. */
  readonly changed: number;
}

export interface VectorBatch {
  /** What was there before the texts were opened. */
  readonly from: Pick<VectorState, 'mark' | 'changes'>;
  /** Below `from.mark`: made anew. The others are below `mark`. */
  readonly rows: readonly MadeVector[];
  /** Blanks of which there is nothing to be made: they are left out from now on. */
  readonly gone?: readonly number[];
  readonly mark: number;
}

/** Docs of a block of vectors: its first is a multiple of it. */
export const docsPerVectorBlock = 1_024;

/** The vectors of `docsPerVectorBlock` docs in one box, beside their own (vector-block.ts): opened at once, a bank is there in a tenth of the time. */
export interface VectorBlock {
  readonly first: number;
  readonly sealed: Uint8Array;
}

/** Where there are blocks. One is there as long as each of its rows stands as it stood when it was made. */
export interface VectorBlocks {
  /** First docs of blocks that are whole below the mark but were not made, at most `limit`. */
  missing(space: VectorSpace, limit: number): Promise<{ readonly bank: string; readonly first: number }[]>;
  /** @throws HindsightError checkpoint_moved when something was purged or made anew since `changes` were counted, or the space is gone */
  put(bank: string, space: VectorSpace, block: VectorBlock, changes: number): Promise<void>;
}

/** A bank whose vectors are not complete. */
export interface BankBehind {
  readonly bank: string;
  readonly docs: number;
  readonly mark: number;
  /** To be made anew. */
  readonly blanks: number;
}

/**
 * Vectors of versions, written. Docs are numbered the same in every generation, so vectors belong to none and outlive a replay; where that is
 * not sure (something was set aside, or the ledger is an older copy) they go with the generation. A commit that purges memories or banks of the
 * projection `versions` takes their vectors out of all spaces, and blanks those whose window held them.
 * Errors (HindsightError): `checkpoint_moved` · `ledger_busy` · `disk_full` · `not_writable`.
 */
export interface VectorViews {
  /** An operator chose that vectors also stand where they can be searched, unsealed. */
  readonly takesPacked?: boolean;
  /** Absent where vectors are only opened one by one. */
  readonly blocks?: VectorBlocks;
  /** Makes a space where there is none. */
  make(space: VectorSpace): Promise<void>;
  /** Those there are, the one that was made last at the end. */
  spaces(): Promise<VectorSpace[]>;
  /** Removes a space with all its vectors. */
  drop(space: VectorSpace): Promise<void>;
  /**
   * Adds vectors, or replaces those of the same docs, and moves the mark: all or nothing.
   * @throws HindsightError checkpoint_moved when something was purged or put since `from`, or the space is gone
   */
  put(bank: string, space: VectorSpace, batch: VectorBatch): Promise<void>;
  /** Docs whose vectors are to be made anew, ascending. */
  blanks(bank: string, space: VectorSpace, limit: number): Promise<number[]>;
  /** Banks with docs that have no vector yet, or one that is to be made anew; at most `limit`. All docs lack one in a space that was not made. */
  behind(space: VectorSpace, limit: number): Promise<BankBehind[]>;
}

/** Vectors of one bank, read. Of a space that was not made, and of a bank that was never seen, there are none. */
export interface VectorReader {
  vectorState(bank: string, space: VectorSpace): Promise<VectorState>;
  /** Spaces in which some vectors of the bank were made, the one that was made last at the end. */
  vectorSpaces(bank: string): Promise<VectorSpace[]>;
  /** Docs from a number on, ascending; at most `limit`. Blanks and docs at or above the mark are absent. */
  vectorsFrom(bank: string, space: VectorSpace, doc: number, limit: number): Promise<StoredVector[]>;
  /** The first block that begins at a doc or behind it; absent where there are no blocks. */
  vectorBlockFrom?(bank: string, space: VectorSpace, doc: number): Promise<VectorBlock | undefined>;
  /** Vectors that were made anew after a change, ascending by doc. */
  vectorsChangedAfter(bank: string, space: VectorSpace, change: number): Promise<StoredVector[]>;
}

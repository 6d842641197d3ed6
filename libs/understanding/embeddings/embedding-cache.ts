import type { BankKeys } from '#sealing/vault.js';
import type { EmbeddingRole, VectorSpace } from './embedder.js';

/** What a vector was made by, and under whose keys it is kept: vectors of two banks, spaces or roles never meet. */
export interface CacheScope {
  readonly keys: BankKeys;
  readonly space: VectorSpace;
  readonly role: EmbeddingRole;
}

export interface CachedVector {
  readonly text: string;
  readonly packed: Uint8Array;
  /** Whose words are in the text: the memory's own id, and that of the neighbour embedded with it. An erasure of any of them takes it. */
  readonly memoryIds: readonly string[];
}

/** How many erasures a bank's part had seen; only to be given back. */
export type CacheStamp = string;

/**
 * Vectors by what they were made of, so that views that are made anew embed nothing twice. It may be emptied at any time. What fails inside
 * `stamp`, `find` and `keep` is not the caller's trouble: then nothing is found, and nothing kept.
 */
export interface EmbeddingCache {
  /** To be taken before the texts are opened: see `keep`. */
  stamp(bank: string): Promise<CacheStamp>;
  /** Packed vectors in the order of the texts; undefined where there is none. */
  find(scope: CacheScope, texts: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * Keeps vectors, unless something of the bank was erased since the stamp was taken: the texts may be of what was erased, opened just
   * before, and nothing would ever remove them again.
   */
  keep(scope: CacheScope, stamp: CacheStamp, vectors: readonly CachedVector[]): Promise<void>;
  /**
   * For erasures: when it resolves, no byte of these memories' vectors is left in the cache's files.
   * @throws HindsightError ledger_busy · disk_full · not_writable while that cannot be had
   */
  forget(bank: string, memoryIds: readonly string[]): Promise<void>;
  /** The same for all of a bank. */
  forgetBank(bank: string): Promise<void>;
  close(): Promise<void>;
}

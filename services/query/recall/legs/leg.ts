import type { ViewsReader } from '#views/reader.js';
import type { BankIndex } from '../../bank-index/bank-index.js';
import type { Visibility } from '../../bank-index/visibility.js';

/** Which versions may be answered with, and what the bank was like at the basis. */
export interface Scope {
  readonly reader: ViewsReader;
  readonly index: BankIndex;
  readonly indexKey: Uint8Array;
  /** All memories at the basis, before any filter: what statistics are taken from. */
  readonly basis: Visibility;
  /** 1 for each doc that may be answered with. */
  readonly eligible: Uint8Array;
  /** How many candidates are wanted. */
  readonly limit: number;
}

export interface Candidate {
  readonly doc: number;
  /** 0 to 1, within one question. */
  readonly score: number;
  /** Words of the question that were found, as they were asked. */
  readonly matched: readonly string[];
}

/** One way to find memories. Each ranks by itself; fuse.ts makes one ranking of them. */
export interface Leg {
  readonly name: string;
  /** Best first; of equal scores the newer version first. */
  rank(question: string, scope: Scope): Promise<Candidate[]>;
}

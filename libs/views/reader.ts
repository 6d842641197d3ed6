import type { Position } from '#ledger/ledger.js';
import type { FindingReader } from './findings.js';
import type { RatingReader } from './ratings.js';
import type { ChangeRow, DocRow, MemoryRow, MomentRow, RecallRow, SpanRow, SpanStatus, VersionRow } from './rows.js';
import type { VectorReader } from './vectors.js';

/** Which versions a question is about; every part that is given must match. Times mean occurredAt, else recordedAt. */
export interface VersionFilter {
  readonly kinds?: readonly string[];
  readonly sessionId?: string;
  readonly taskId?: string;
  /** Keyed hashes; all of them must be there. */
  readonly tagHashes?: readonly string[];
  /** Keyed hash. */
  readonly subjectHash?: string;
  /** Inclusive. */
  readonly from?: string;
  /** Exclusive. */
  readonly to?: string;
}

/** Which answers are meant; every part that is given must match. */
export interface RecallFilter {
  readonly recallId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly principal?: string | undefined;
  /** Given before this moment (ISO), exclusive. */
  readonly before?: string | undefined;
  /** Only with a higher `recallNo`: the page after one. */
  readonly after?: number | undefined;
  /** Newest first, and pages go backward. */
  readonly newestFirst?: boolean | undefined;
  readonly limit: number;
}

/** Packed postings of one term for the docs of one block (see postings.ts). */
export interface PostingBlock {
  readonly block: number;
  readonly bytes: Uint8Array;
}

/**
 * The read models of the generation in use, one bank per question: no method answers over banks.
 * Keyed hashes are those of the bank's index key (tags, slots, terms) and identity key (subjects).
 */
export interface ViewsReader extends FindingReader, RatingReader, VectorReader {
  /** The bank's last moment; undefined for an empty bank. */
  headMoment(bank: string): Promise<MomentRow | undefined>;
  /** The last moment at or before a position. */
  momentAtPosition(bank: string, position: Position): Promise<MomentRow | undefined>;
  /** The last moment whose system time is at or before a time (ISO, UTC, milliseconds). */
  momentAtTime(bank: string, time: string): Promise<MomentRow | undefined>;

  /** The moment of the event with this hash (base64url), wherever it stands: a basis outlives a migration by it. Rare: may scan. */
  momentWithHash(bank: string, hash: string): Promise<MomentRow | undefined>;

  /** The moments with these numbers, ascending; those that are not there are absent. */
  momentsBySeq(bank: string, seqs: readonly number[]): Promise<MomentRow[]>;

  memory(bank: string, memoryId: string): Promise<MemoryRow | undefined>;
  memoryByKey(bank: string, keyHash: string): Promise<MemoryRow | undefined>;
  /** Whether some other bank holds this memory: for an error that says so, and nothing else. */
  isMemoryOfAnotherBank(bank: string, memoryId: string): Promise<boolean>;

  /** All events of a memory, oldest first. */
  changesOf(bank: string, memoryId: string): Promise<(ChangeRow | VersionRow)[]>;
  spansOf(bank: string, memoryId: string): Promise<SpanRow[]>;
  /** Events of memories that brought no version, of the moments after `after` up to `upTo` (inclusive), ascending; at most `limit`. */
  turnsBetween(bank: string, after: number, upTo: number, limit: number): Promise<ChangeRow[]>;
  /** Per version that is given, docs of versions of its memory: up to `count` before it, the nearest first, and as many after it. */
  docsAround(
    bank: string,
    versions: readonly { readonly memoryId: string; readonly doc: number }[],
    count: number,
  ): Promise<{ before: number[]; after: number[] }[]>;
  /** Versions by doc number, in the order asked for. */
  versionsByDoc(bank: string, docs: readonly number[]): Promise<VersionRow[]>;
  /** Doc numbers of all versions that match, ascending. */
  docsWhere(bank: string, filter: VersionFilter): Promise<number[]>;

  /** For the index in memory: docs from a number on, ascending. */
  docsFrom(bank: string, doc: number): Promise<DocRow[]>;
  /** For the index in memory: spans opened or closed after a moment (seqFrom > seq or seqTo > seq, seqTo finite), any order; all for 0. */
  spansChangedAfter(bank: string, seq: number): Promise<SpanRow[]>;
  /** Blocks of postings per term hash from a block on (0 by default), ascending by block; terms that never occur are absent. */
  postings(bank: string, termHashes: readonly string[], fromBlock?: number): Promise<Map<string, PostingBlock[]>>;

  /** Banks that have events, with their sealed names; of one that was erased, the event that ended it, and no name. */
  banks(): Promise<ChangeRow[]>;
  /** Events of the bank itself after a moment, oldest first: its beginning, settings and end, orders to erase and their completion; all for 0. */
  bankEvents(bank: string, after?: number): Promise<ChangeRow[]>;

  /** Memories that are derived from these, and from those again, by any of their versions; each with its newest version, those given left out. */
  derivedFrom(bank: string, memoryIds: readonly string[]): Promise<{ memoryId: string; version: number }[]>;
  /** Those of the fingerprints (keyed hashes) whose values were erased. */
  erasedValues(bank: string, fingerprints: readonly string[]): Promise<string[]>;
  /** Orders to erase that stand and were not completed, over all banks. */
  unfinishedErasures(): Promise<{ bank: string; erasureId: string }[]>;

  /** Answers that were given, ascending by `recallNo`. As far as the projection `recalls` has come, which may lag behind the others. */
  recallsOf(bank: string, asked: RecallFilter): Promise<RecallRow[]>;
  /** Answers that held any of these memories, ascending. */
  recallsServing(bank: string, memoryIds: readonly string[]): Promise<RecallRow[]>;
  /** Answers to questions about this person (keyed hash), ascending. */
  recallsAbout(bank: string, subjectHash: string): Promise<RecallRow[]>;
  /** Counts by kind and stored status of the latest versions, and how many of the current ones have expired at a time. */
  counts(bank: string, at: string): Promise<{ kind: string; status: SpanStatus | 'expired'; count: number }[]>;
}

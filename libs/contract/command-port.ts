import type { AliasInput, AliasOutput } from './alias.js';
import type { Caller } from './caller.js';
import type { EnrichInput, EnrichOutput } from './enrich.js';
import type { FeedbackInput, FeedbackOutput } from './feedback.js';
import type { EraseBankInput, EraseInput, ForgetInput, ForgetOutput, RestoreInput } from './forget.js';
import type { ReviewInput, ReviewOutput } from './review.js';
import type { ImportedFrom, WriteInput, WriteItem, WriteOutput } from './write.js';

/** What one recall was answered with, to be put on record. */
export interface ServedRecall {
  readonly recallId: string;
  readonly query: string;
  readonly filters?: string;
  readonly position?: string;
  readonly at: string;
  readonly validAt?: string;
  readonly items: readonly { readonly memoryId: string; readonly version: number; readonly score: number }[];
  readonly tookMs: number;
  /** Keyed hashes of the subjects whose memories were served. */
  readonly subjects: readonly string[];
  readonly sessionId?: string;
}

/** A look into the audit, to be put on record. */
export interface AuditedRead {
  readonly ask: string;
  readonly rows: number;
  /** The memory that was asked about, where it was one. */
  readonly about?: string;
  /** JSON text of what was asked with; sealed. */
  readonly parameters: string;
  /** Keyed hashes of the subjects that it was filtered by: the record goes with any of them. */
  readonly subjects: readonly string[];
  readonly sessionId?: string;
}

export interface RestoreOutput {
  readonly status: 'restored' | 'unchanged';
  readonly memory_id: string;
  readonly version: number;
  readonly basis?: string;
}

/** What becomes of a bank that is not there. A misspelt name must not become a bank for good where somebody only reads. */
export type IfMissing = 'make' | 'refuse' | 'leave';

/**
 * Commands in, events out: the only way to change a ledger. Input errors reject with a HindsightError; outcomes of
 * single items of a batch are in the answer.
 */
export interface CommandPort {
  write(input: WriteInput, caller: Caller): Promise<WriteOutput>;
  /** As `write` with items, each with its natural key of import. */
  importItems(items: readonly { item: WriteItem; from: ImportedFrom }[], caller: Caller): Promise<WriteOutput>;
  forget(input: ForgetInput, caller: Caller): Promise<ForgetOutput>;
  restore(input: RestoreInput, caller: Caller): Promise<RestoreOutput>;
  /** Holds a memory back for review, serves it again, or takes it away. */
  review(input: ReviewInput, caller: Caller): Promise<ReviewOutput>;
  /** Puts on record how a memory fared when it was put to use. */
  rate(input: FeedbackInput, caller: Caller): Promise<FeedbackOutput>;
  /** Puts on record what a model found in a memory: asked for by the job that asks the model, and by no tool. */
  enrich(input: EnrichInput, caller: Caller): Promise<EnrichOutput>;
  /**
   * Destroys memories, or all that is about a person: a dry run without `confirm`. When it resolves nothing of them opens any more;
   * `erasing` means that derived copies are still to be purged, which goes on by itself.
   */
  erase(input: EraseInput, caller: Caller): Promise<ForgetOutput>;
  /** Ends the caller's bank with all that is in it: a dry run without `confirm`. */
  eraseBank(input: EraseBankInput, caller: Caller): Promise<ForgetOutput>;
  /** Puts on record that two names mean one person. */
  alias(input: AliasInput, caller: Caller): Promise<AliasOutput>;
  /** Puts a recall on record: at once when `durable`, else with the next group. */
  recordRecall(recall: ServedRecall, caller: Caller, durable: boolean): Promise<void>;
  /** Puts a look into the audit on record, durably: what cannot be recorded is not to be shown. */
  recordAudit(read: AuditedRead, caller: Caller): Promise<void>;
  /** The id of the bank with this readable name, made on first use by default; rejects with bank_not_found when told to. */
  bankNamed(name: string, ifMissing?: IfMissing): Promise<string>;
  /** Waits for what is recorded in the background. */
  flush(): Promise<void>;
}

import type { CommandPort } from '#contract/command-port.js';
import type { Sources } from '#contract/sources.js';
import type { Position } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import type { Meters } from '#telemetry/meters.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import type { AnswerCache } from '#views/answer-cache.js';
import type { ViewsReader } from '#views/reader.js';
import type { WasErased } from './recall/open-version.js';

/** What questions are answered with. */
export interface QueryDeps {
  readonly ledger: { readonly id: string };
  readonly vault: Vault;
  /** Whether what a row of the views carries does not open because it was erased (`erasedLater`). */
  readonly wasErased?: WasErased;
  /** For one question. @param stamp of the views, read just before */
  readonly reader: (stamp: string) => ViewsReader;
  /** Changes when the views were rebuilt or replaced: then nothing that was read of them counts any more. */
  readonly viewsStamp: () => Promise<string>;
  /**
   * Afterwards all that was acknowledged before the call is visible, as far as this process can know of it: it projects what is missing,
   * or waits for those who do.
   * @param atLeast a position that the answer must not lie before
   * @returns what the answer has to say where that took too long
   */
  readonly catchUp: (bank: string, atLeast?: Position) => Promise<string | undefined>;
  /** Rankings that another question or process came to already; each is computed where there is none. */
  readonly answers?: AnswerCache | undefined;
  /** Embeds questions; without it keywords answer. */
  readonly embedder?: Embedder | undefined;
  /** The language model that reads what is written, where one is configured. */
  readonly enrichment?: { readonly model: string; readonly tokensPerDay: number } | undefined;
  readonly meters?: Pick<Meters, 'recalled'> | undefined;
  readonly recordRecall: CommandPort['recordRecall'];
  readonly recordAudit: CommandPort['recordAudit'];
  /** Puts on record, and projects, the recalls of this process that are not there yet: who asks what was shown asks about them, too. */
  readonly catchUpRecalls?: () => Promise<void>;
  readonly sources: Sources;
  /** Whether an answer waits until it is on record (`strict`). */
  readonly recallMode: 'relaxed' | 'strict';
  /** As it concerns a bank. */
  readonly projection: (bank: string) => Promise<ProjectionState>;
  /** Bytes per file of the home. */
  readonly storeSizes: () => Promise<Record<string, number>>;
  /** Told of a recall that could not be put on record while nobody waited for it. */
  readonly onRecordingFailed: (error: unknown) => void;
}

export interface ProjectionState {
  /** Events that are in the ledger and not in the views, of those that change an answer. */
  readonly lagEvents: number;
  /** Events of the bank that could not be projected, with all later ones of their streams. */
  readonly setAside: number;
  readonly generation: number;
}

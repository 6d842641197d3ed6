import type { TokenStore } from '#access/token-store.js';
import type { Config } from '#config/settings.js';
import type { Caller } from '#contract/caller.js';
import type { IfMissing } from '#contract/command-port.js';
import type { QueryPort } from '#contract/query-port.js';
import type { Sources } from '#contract/sources.js';
import type { Commands } from '#ingest/create-commands.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Projector } from '#projector/create-projector.js';
import type { Embedding } from '#projector/embedding/create-embedding.js';
import type { Enrichment } from '#projector/enrichment/create-enrichment.js';
import type { Vault } from '#sealing/vault.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import type { Views } from '#views/views.js';
import type { Log } from './embedded/plain-log.js';

/** One process over a ledger and all that belongs to it, whichever profile they are of: what verbs and servers work with. */
export interface Opened {
  readonly config: Config;
  readonly log: Log;
  /** Id of the bank that the configuration names; of one that is not there, what it would be. */
  readonly bank: string;
  readonly sources: Sources;
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly views: Views;
  readonly projector: Projector;
  /** Where this process may make vectors: a home that it can write, with something to embed by. */
  readonly embedding?: Embedding | undefined;
  /** Where this process may have a language model read: a home that it can write, with one in the settings. */
  readonly enrichment?: Enrichment | undefined;
  /** Embeds questions. */
  readonly embedder?: Embedder | undefined;
  readonly commands: Commands;
  readonly queries: QueryPort;
  /** The operating system's user, who may do everything in what it has the keys of. */
  caller(tool: string): Caller;
  tokens(): Promise<TokenStore>;
  /** Stores what is recorded in the background, then closes all of it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly config: Config;
  readonly log: Log;
  readonly sources?: Sources;
  /** What becomes of the bank that the configuration names, where it is not there; `make` by default. */
  readonly missingBank?: IfMissing;
  /** Whether memories are found by their meaning, too, where the configuration names what embeds. */
  readonly embeds?: boolean;
  /** Instead of what it names. */
  readonly embedder?: Embedder;
  /** Whether the read models are to be written, too: they are always in the embedded profile. */
  readonly writesViews?: boolean;
}

import type { QueryPort } from '#contract/query-port.js';
import type { Sources } from '#contract/sources.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import type { ViewsReader } from '#views/reader.js';
import type { BankLives } from '../banks/bank-life.js';
import type { Committing } from '../commit/commit-changes.js';
import type { Log } from '../commit/log.js';
import type { IsOfAnotherBank } from '../commit/whose-memory.js';

/** The derived copies, as an erasure needs them. Every method rejects (views_behind, unreachable …) while they are not to be had. */
export interface ErasingViews {
  /** The views, once they are as far as the ledger goes now. */
  upToDate(bank: string): Promise<ViewsReader>;
  /** Lets caches go of what stands in the views no longer: of these memories, or of all that is the bank's. */
  purge(bank: string, memoryIds: readonly string[] | 'all'): Promise<void>;
  /** The views as far as they are. */
  asTheyAre(): Promise<ViewsReader>;
}

/** Signs what an erasure certifies. base64url. */
export type Sign = (text: string) => Promise<{ readonly signature: string; readonly publicKey: string } | undefined>;

export interface ErasingDeps {
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly sources: Sources;
  readonly recipe: string;
  readonly committing: Committing;
  readonly isOfAnotherBank: IsOfAnotherBank;
  readonly lives: BankLives;
  /** As `BankLivesOptions.freshFor`: the deletion of a bank waits until nobody takes it for alive. */
  readonly bankLifeFreshFor?: number | undefined;
  readonly matching: QueryPort['matching'];
  readonly views: ErasingViews;
  readonly sign?: Sign | undefined;
  readonly log?: Log | undefined;
}

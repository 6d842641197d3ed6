import type { Sources } from '#contract/sources.js';
import type { Vault } from '#sealing/vault.js';
import type { Committing } from './commit-changes.js';
import type { IsOfAnotherBank } from './whose-memory.js';

/** What a command needs to be decided, committed and answered with a basis. */
export interface CommittingDeps {
  readonly committing: Committing;
  readonly isOfAnotherBank: IsOfAnotherBank;
  readonly vault: Vault;
  readonly sources: Sources;
  readonly ledgerId: string;
  readonly recipe: string;
}

import type { CommandPort } from '#contract/command-port.js';
import type { QueryPort } from '#contract/query-port.js';
import type { Sources } from '#contract/sources.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import { banksByName } from './banks/bank-named.js';
import { committing } from './commit/commit-changes.js';
import type { Log } from './commit/log.js';
import { permit } from './commit/permit.js';
import type { IsOfAnotherBank } from './commit/whose-memory.js';
import { forgetsMemories } from './forget/forget-memories.js';
import { openRecallLog } from './recall-log/recall-log.js';
import { restoresMemories } from './restore/restore-memory.js';
import { writesMemories } from './write/write-memories.js';

export interface CommandDeps {
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly sources: Sources;
  /** Name of the recipe that ranks answers: part of every basis. */
  readonly recipe: string;
  /** What a forget filter means. */
  readonly matching: QueryPort['matching'];
  readonly isOfAnotherBank: IsOfAnotherBank;
  /** Who makes banks by using them; `system` by default. */
  readonly principal?: string;
  readonly log?: Log;
}

export interface Commands extends CommandPort {
  /** Recalls that could not be put on record since the start. */
  lostRecalls(): number;
  /** Stores what is recorded in the background. The ledger and the vault stay open: whoever opened them closes them. */
  close(): Promise<void>;
}

/** The command port over a ledger and a vault of this process. */
export function createCommands(deps: CommandDeps): Commands {
  const { ledger, vault, sources, isOfAnotherBank, log } = deps;
  const sealing = { vault, sources };
  const shared = { ...deps, ledgerId: ledger.id, committing: committing({ ledger, sealing, isOfAnotherBank, log }) };
  const recalls = openRecallLog({ ledger, sealing, log });
  const writes = writesMemories(shared);
  const forget = forgetsMemories(shared);
  const restore = restoresMemories(shared);
  const bankNamed = banksByName({ ledger, sealing, principal: deps.principal ?? 'system' });
  return {
    async write(input, caller) {
      permit(caller, 'writer');
      recalls.nudge();
      return writes.write(input, caller);
    },
    async importItems(items, caller) {
      permit(caller, 'writer');
      return writes.importItems(items, caller);
    },
    async forget(input, caller) {
      permit(caller, 'writer');
      return forget(input, caller);
    },
    async restore(input, caller) {
      permit(caller, 'writer');
      return restore(input, caller);
    },
    recordRecall: recalls.record,
    recordAudit: recalls.recordAudit,
    bankNamed,
    flush: recalls.flush,
    lostRecalls: recalls.lost,
    close: recalls.close,
  };
}

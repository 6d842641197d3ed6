import type { BankSettings, Configured, ConfigureInput } from '#contract/bank-settings.js';
import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import { HindsightError } from '#contract/errors.js';
import { type ForgetInput, type ForgetOutput, forgetInput } from '#contract/forget.js';
import { readInput } from '#contract/input/read-input.js';
import type { QueryPort } from '#contract/query-port.js';
import type { Sources } from '#contract/sources.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import { bankLives } from './banks/bank-life.js';
import { banksByName } from './banks/bank-named.js';
import { type CheckWeights, configuresBanks } from './banks/configure-bank.js';
import { type Committing, committing } from './commit/commit-changes.js';
import type { Log } from './commit/log.js';
import { permit } from './commit/permit.js';
import type { IsOfAnotherBank } from './commit/whose-memory.js';
import { enrichesMemories } from './enrich/enrich-memory.js';
import { aliasesSubjects } from './erase/alias-subject.js';
import { type EndLate, endsLate } from './erase/end-late.js';
import { erasesMemories } from './erase/erase-command.js';
import { erasedValues } from './erase/erased-values.js';
import type { ErasingViews, Sign } from './erase/erasing-deps.js';
import { runningErasures } from './erase/running-erasures.js';
import { ratesMemories } from './feedback/rate-memory.js';
import { forgetsMemories } from './forget/forget-memories.js';
import { expiresQuestions } from './recall-log/expires-questions.js';
import { openRecallLog } from './recall-log/recall-log.js';
import { restoresMemories } from './restore/restore-memory.js';
import { reviewsMemories } from './review/review-memory.js';
import { writesMemories } from './write/write-memories.js';

export interface CommandDeps {
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly sources: Sources;
  /** Name of the recipe that ranks answers: part of every basis. */
  readonly recipe: string;
  /** As `BankLivesOptions.freshFor`; the same in every process that writes to the ledger. */
  readonly bankLifeFreshFor?: number | undefined;
  /** As `configuresBanks` has it. */
  readonly checkWeights?: CheckWeights | undefined;
  /** What a forget filter means. */
  readonly matching: QueryPort['matching'];
  readonly isOfAnotherBank: IsOfAnotherBank;
  /** The derived copies, where there are any: without them nothing can be erased. */
  readonly erasing?: ErasingViews;
  /** Days that what was asked can be read on record; 0: always. */
  readonly questionDays?: number;
  /** Signs certificates of erasures. */
  readonly sign?: Sign | undefined;
  /** Who makes banks by using them; `system` by default. */
  readonly principal?: string;
  readonly log?: Log;
}

export interface Commands extends CommandPort {
  /** How a bank is recalled from, as the ledger has it. */
  bankSettings(bank: string): Promise<BankSettings>;
  /** @throws HindsightError forbidden · invalid_input · bank_erased */
  configureBank(input: ConfigureInput, caller: Caller): Promise<Configured>;
  /** Recalls that could not be put on record since the start. */
  lostRecalls(): number;
  /** Goes on with erasures that were ordered and not completed, whoever gave the order. Never rejects: what cannot be done is tried again. */
  resumeErasures(): Promise<void>;
  /** The same, now and from time to time, for a process that stays; it also ends what was asked long ago. */
  watchErasures(): void;
  /** Stores what is recorded in the background. The ledger and the vault stay open: whoever opened them closes them. */
  close(): Promise<void>;
}

/** The command port over a ledger and a vault of this process. */
export function createCommands(deps: CommandDeps): Commands {
  const { ledger, vault, sources, isOfAnotherBank, log } = deps;
  const sealing = { vault, sources };
  const lives = bankLives(ledger, { freshFor: deps.bankLifeFreshFor });
  const endLate: EndLate = (...late) => endsLate({ ledger, vault, sources, committing: committed })(...late);
  const committed: Committing = committing({ ledger, sealing, isOfAnotherBank, lives, endLate, log });
  const shared = { ...deps, ledgerId: ledger.id, committing: committed };
  const recalls = openRecallLog({ ledger, sealing, log });
  const views = deps.erasing ?? withoutViews;
  const erasing = { ...shared, lives, views };
  const erasures = runningErasures(erasing);
  const erases = erasesMemories(erasing, erasures);
  const alias = aliasesSubjects(erasing);
  const writes = writesMemories({ ...shared, erased: erasedValues({ ledger, vault, views }) });
  const forget = forgetsMemories(shared);
  const restore = restoresMemories(shared);
  const review = reviewsMemories(shared);
  const rate = ratesMemories(shared);
  const enrich = enrichesMemories({ ...shared, lives });
  const bankNamed = banksByName({ ledger, sealing, lives, principal: deps.principal ?? 'system' });
  const banks = configuresBanks({ ledger, sealing, lives, checkWeights: deps.checkWeights });
  let expiring: { close(): Promise<void> } | undefined;

  /** The tool's words for it. */
  async function eraseForgotten(given: ForgetInput, caller: Caller): Promise<ForgetOutput> {
    permit(caller, 'eraser');
    const { memory_id, filter, mode: _mode, ...input } = readInput(forgetInput, given);
    if ((memory_id === undefined) === (filter === undefined))
      throw new HindsightError('invalid_input', 'Give either memory_id or filter: one of them, not both.');
    await recalls.flush();
    return erases.erase({ ...input, ...(filter ? { filter } : { memory_ids: [memory_id!] }) }, caller);
  }

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
      if (input.mode === 'erase') return eraseForgotten(input, caller);
      permit(caller, 'writer');
      return forget(input, caller);
    },
    async restore(input, caller) {
      permit(caller, 'writer');
      return restore(input, caller);
    },
    async review(input, caller) {
      permit(caller, 'reviewer');
      return review(input, caller);
    },
    async rate(input, caller) {
      permit(caller, 'writer');
      recalls.nudge();
      return rate(input, caller);
    },
    async enrich(input, caller) {
      permit(caller, 'writer');
      return enrich(input, caller);
    },
    async erase(input, caller) {
      permit(caller, 'eraser');
      await recalls.flush();
      return erases.erase(input, caller);
    },
    async eraseBank(input, caller) {
      permit(caller, 'admin');
      return erases.eraseBank(input, caller);
    },
    bankSettings: banks.settings,
    async configureBank(input, caller) {
      permit(caller, 'admin');
      return banks.configure(input, caller);
    },
    async alias(input, caller) {
      permit(caller, 'eraser');
      return alias(input, caller);
    },
    resumeErasures: erasures.resume,
    watchErasures() {
      erasures.watch();
      expiring = expiresQuestions({ ...erasing, days: deps.questionDays ?? 0 });
    },
    recordRecall: recalls.record,
    recordAudit: recalls.recordAudit,
    bankNamed,
    flush: recalls.flush,
    lostRecalls: recalls.lost,
    async close() {
      await expiring?.close();
      await erasures.close();
      await recalls.close();
    },
  };
}

/** Of a process that only writes. */
const withoutViews: ErasingViews = {
  upToDate: () => Promise.reject(new HindsightError('views_missing', 'This process has no views.')),
  purge: () => Promise.resolve(),
  asTheyAre: () => Promise.reject(new HindsightError('views_missing', 'This process has no views.')),
};

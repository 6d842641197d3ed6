import type { Caller } from '#contract/caller.js';
import type { RestoreOutput } from '#contract/command-port.js';
import { type RestoreInput, restoreInput } from '#contract/forget.js';
import { readInput } from '#contract/input/read-input.js';
import { basisOf } from '../commit/basis-of.js';
import type { Change } from '../commit/commit-changes.js';
import type { CommittingDeps } from '../commit/committing-deps.js';
import { askedRequest } from '../commit/request.js';
import { sortedJson, wellFormed } from '../write/sealed-text.js';
import { decideRestore, type Restored } from './decide-restore.js';

export function restoresMemories(
  deps: CommittingDeps,
): (input: RestoreInput, caller: Caller) => Promise<RestoreOutput> {
  const { committing, vault, sources, ledgerId, recipe } = deps;
  return async (given, caller) => {
    const { memory_id, reason, idempotency_key } = readInput(restoreInput, given);
    wellFormed('reason', reason);
    const memoryId = memory_id.toLowerCase();
    const keys = await vault.bankKeys(caller.bank);
    const request = askedRequest(keys, caller, idempotency_key, () => sortedJson('', { restore: memoryId, reason }));
    const byReviewer = caller.roles.includes('reviewer');
    const change: Change<Restored> = {
      memoryId,
      isNew: false,
      decide: (memory, now) => decideRestore(memory, { memoryId, reason, request, byReviewer }, now),
    };
    const [outcome] = await committing.commit([change], caller);
    if ('error' in outcome!) throw outcome.error;
    const basis = basisOf([outcome!], { ledger: ledgerId, bank: caller.bank, recipe, now: sources.now() });
    return { ...outcome!.answer, memory_id: memoryId, basis };
  };
}

import type { Caller } from '#contract/caller.js';
import { readInput } from '#contract/input/read-input.js';
import { type ReviewInput, type ReviewOutput, reviewInput } from '#contract/review.js';
import { basisOf } from '../commit/basis-of.js';
import type { Change } from '../commit/commit-changes.js';
import type { CommittingDeps } from '../commit/committing-deps.js';
import { askedRequest } from '../commit/request.js';
import { sortedJson, wellFormed } from '../write/sealed-text.js';
import { decideReview, type Reviewed } from './decide-review.js';

export function reviewsMemories(deps: CommittingDeps): (input: ReviewInput, caller: Caller) => Promise<ReviewOutput> {
  const { committing, vault, sources, ledgerId, recipe } = deps;
  return async (given, caller) => {
    const { memory_id, verdict, reason, idempotency_key } = readInput(reviewInput, given);
    wellFormed('reason', reason);
    const memoryId = memory_id.toLowerCase();
    const keys = await vault.bankKeys(caller.bank);
    const request = askedRequest(keys, caller, idempotency_key, () => sortedJson('', { [verdict]: memoryId, reason }));
    const change: Change<Reviewed> = {
      memoryId,
      isNew: false,
      decide: (memory) => decideReview(memory, { memoryId, reason, request, verdict }),
    };
    const [outcome] = await committing.commit([change], caller);
    if ('error' in outcome!) throw outcome.error;
    const basis = basisOf([outcome!], { ledger: ledgerId, bank: caller.bank, recipe, now: sources.now() });
    return { ...outcome!.answer, memory_id: memoryId, basis };
  };
}

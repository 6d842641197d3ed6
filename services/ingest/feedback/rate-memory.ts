import type { Caller } from '#contract/caller.js';
import { type FeedbackInput, type FeedbackOutput, feedbackInput } from '#contract/feedback.js';
import { readInput } from '#contract/input/read-input.js';
import { basisOf } from '../commit/basis-of.js';
import type { Change } from '../commit/commit-changes.js';
import type { CommittingDeps } from '../commit/committing-deps.js';
import { askedRequest } from '../commit/request.js';
import { sortedJson, wellFormed } from '../write/sealed-text.js';
import { decideFeedback, type Rated } from './decide-feedback.js';

export function ratesMemories(deps: CommittingDeps): (input: FeedbackInput, caller: Caller) => Promise<FeedbackOutput> {
  const { committing, vault, sources, ledgerId, recipe } = deps;
  return async (given, caller) => {
    const { memory_id, recall_id, outcome, version, note, idempotency_key } = readInput(feedbackInput, given);
    if (note !== undefined) wellFormed('note', note);
    const memoryId = memory_id.toLowerCase();
    const recallId = recall_id?.toLowerCase();
    const keys = await vault.bankKeys(caller.bank);
    const request = askedRequest(keys, caller, idempotency_key, () =>
      sortedJson('', { rate: memoryId, outcome, recallId, version, note }),
    );
    const command = { memoryId, principal: caller.principal, outcome, recallId, version, note, request };
    const change: Change<Rated> = {
      memoryId,
      isNew: false,
      decide: (memory, now) => decideFeedback(memory, command, now),
    };
    const [done] = await committing.commit([change], caller);
    if ('error' in done!) throw done.error;
    const basis = basisOf([done!], { ledger: ledgerId, bank: caller.bank, recipe, now: sources.now() });
    return { ...done!.answer, memory_id: memoryId, basis };
  };
}

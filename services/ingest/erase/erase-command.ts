import { createHash } from 'node:crypto';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import {
  type EraseBankInput,
  type EraseInput,
  type Erasure,
  eraseBankInput,
  eraseInput,
  type ForgetOutput,
} from '#contract/forget.js';
import { readInput } from '#contract/input/read-input.js';
import type { ErasureCompleted } from '#events/erasure-completed.js';
import { keyedHash } from '#events/keyed-hash.js';
import { uuidV8 } from '#events/memory-identity.js';
import { basisOf } from '../commit/basis-of.js';
import { wellFormed } from '../write/sealed-text.js';
import type { ErasingDeps } from './erasing-deps.js';
import { type Order, type Ordered, ordersOf, placeOrder } from './order.js';
import { type ErasurePlan, isTokenOf, mentionsOf, planErasure, previewsOf } from './plan-erasure.js';
import type { Progress, RunningErasures } from './running-erasures.js';

/** Milliseconds that a call waits for an erasure to be completed: calls between services are given ten seconds. */
const patience = 8_000;

export interface ErasesMemories {
  erase(input: EraseInput, caller: Caller): Promise<ForgetOutput>;
  eraseBank(input: EraseBankInput, caller: Caller): Promise<ForgetOutput>;
}

export function erasesMemories(deps: ErasingDeps, running: RunningErasures): ErasesMemories {
  const { vault, lives } = deps;

  async function erase(given: EraseInput, caller: Caller): Promise<ForgetOutput> {
    const input = readInput(eraseInput, given);
    wellFormed('reason', input.reason);
    if (input.subject === undefined && !input.memory_ids && !input.filter)
      throw new HindsightError('invalid_input', 'Say what to erase: subject, memory_ids or filter.');
    await lives.insistOn(caller.bank);
    const keys = await vault.bankKeys(caller.bank);
    // Another ask is no retry, though its token is one that was good for something.
    if (input.confirm !== undefined && isTokenOf(input.confirm, keys, input)) {
      const before = await orderedBefore(input.confirm, caller);
      if (before) return goOn(before, caller);
    }
    const plan = await planErasure(deps, keys, input, caller);
    if (input.confirm === undefined) return dryRun(plan, caller);
    if (input.confirm !== plan.token)
      throw new HindsightError(
        'confirm_mismatch',
        `confirm does not belong to what this means now (${plan.targets.length} memories): something else is asked, or memories were written, erased or aliased since the dry run.`,
        { total: plan.targets.length },
      );
    return order(caller, {
      erasureId: erasureIdOf(input.confirm),
      memories: plan.targets.map(({ memoryId }) => memoryId),
      // Of a person all goes, also what came after it was shown; of what was chosen, only what was shown.
      versions: plan.person ? undefined : plan.targets.map(({ version }) => version),
      subjects: plan.person?.subjects ?? [],
      names: plan.person?.names ?? [],
      fingerprints: input.fingerprints ?? true,
      reason: input.reason,
      ofBank: false,
    });
  }

  async function eraseBank(given: EraseBankInput, caller: Caller): Promise<ForgetOutput> {
    const { confirm, reason } = readInput(eraseBankInput, given);
    wellFormed('reason', reason);
    const before = confirm === undefined ? undefined : await orderedBefore(confirm, caller);
    // The keys that a token could be compared with are gone by then: the order says what it was for.
    if (before?.ofBank) return goOn(before, caller);
    await lives.insistOn(caller.bank);
    const { identityKey } = await vault.bankKeys(caller.bank);
    const token = `d1.${keyedHash(identityKey, 'confirm/bank', caller.bank)}`;
    if (confirm === undefined) {
      const reader = await deps.views.upToDate(caller.bank);
      const counts = await reader.counts(caller.bank, new Date(deps.sources.now()).toISOString());
      const total = counts.reduce((sum, { count }) => sum + count, 0);
      return { status: 'dry_run', forgotten: [], total, confirm: token };
    }
    if (confirm !== token)
      throw new HindsightError('confirm_mismatch', 'confirm does not belong to this bank.', { parameter: 'confirm' });
    const erasureId = erasureIdOf(token);
    const none = { memories: [], subjects: [], names: [], fingerprints: false };
    return order(caller, { ...none, erasureId, reason, ofBank: true });
  }

  async function orderedBefore(confirm: string, caller: Caller): Promise<Order | undefined> {
    return (await ordersOf(deps, caller.bank)).get(erasureIdOf(confirm));
  }

  async function dryRun(plan: ErasurePlan, caller: Caller): Promise<ForgetOutput> {
    const { targets, person, token } = plan;
    const previews = await previewsOf(deps, caller.bank, targets);
    const mentions = person ? await mentionsOf(deps, plan, caller) : undefined;
    const erasure: Erasure = {
      ...(person ? { names: [...person.names] } : {}),
      ...(mentions?.total ? { also_mentioned: mentions.total, also_mentioned_in: mentions.shown.map(shownAs) } : {}),
    };
    return {
      status: 'dry_run',
      forgotten: [],
      would_forget: previews.map(shownAs),
      total: targets.length,
      erasure,
      // Of a person nobody wrote about, the records of what was asked are still to go.
      ...(targets.length || person ? { confirm: token } : {}),
    };
  }

  async function order(caller: Caller, ordered: Ordered): Promise<ForgetOutput> {
    // What could not be finished is not begun.
    await vault.mayDestroy();
    await placeOrder(deps, caller, ordered);
    const placed = (await ordersOf(deps, caller.bank)).get(ordered.erasureId);
    if (placed) return goOn(placed, caller);
    throw new HindsightError('bank_erased', 'This bank was deleted meanwhile, with all that was in it.', {
      bank: caller.bank,
    });
  }

  async function goOn(placed: Order, caller: Caller): Promise<ForgetOutput> {
    return answerOf(placed, await running.carryOut(placed, patience), caller);
  }

  function answerOf(placed: Order, progress: Progress, { bank }: Caller): ForgetOutput {
    const memories = progress.destroyed?.memories ?? [];
    const isDone = progress.is === 'completed';
    const left = new Set((isDone ? progress.completed.left : progress.destroyed?.left) ?? []);
    const named = [...placed.memories, ...memories.map(({ memoryId }) => memoryId)];
    const forgotten = [...new Set(named)].filter((memoryId) => !left.has(memoryId));
    const outcomes = memories.flatMap(({ mark }) => (mark ? [{ answer: undefined, mark }] : []));
    const here = { ledger: deps.ledger.id, bank, recipe: deps.recipe, now: deps.sources.now() };
    const basis = basisOf(outcomes, here);
    return {
      status: isDone ? 'erased' : 'erasing',
      forgotten,
      total: forgotten.length,
      erasure: {
        id: placed.erasureId,
        ...(left.size > 0 ? { left: [...left] } : {}),
        ...(isDone ? certified(progress.completed) : { waits_for: progress.why }),
      },
      ...(basis === undefined ? {} : { basis }),
    };
  }

  return { erase, eraseBank };
}

function shownAs({ memoryId, version, preview }: { memoryId: string; version: number; preview: string }) {
  return { memory_id: memoryId, version, preview };
}

function certified({ recalls, certificate, signature, publicKey }: ErasureCompleted['data']): Partial<Erasure> {
  if (certificate === undefined) return { recalls };
  return {
    recalls,
    certificate: {
      text: certificate,
      ...(signature === undefined ? {} : { signature }),
      ...(publicKey === undefined ? {} : { public_key: publicKey }),
    },
  };
}

/** One confirmed set is erased once: whoever asks again with its token is told what became of it. */
function erasureIdOf(token: string): string {
  return uuidV8(createHash('sha256').update(`hl-erasure-id\n${token}`).digest());
}

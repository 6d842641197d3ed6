import type { Caller } from '#contract/caller.js';
import { type EnrichInput, type EnrichOutput, enrichInput } from '#contract/enrich.js';
import { isHindsightError } from '#contract/errors.js';
import { readInput } from '#contract/input/read-input.js';
import { keyedDigest } from '#events/keyed-hash.js';
import { uuidV8 } from '#events/memory-identity.js';
import { streamName } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import type { BankLives } from '../banks/bank-life.js';
import type { CommittingDeps } from '../commit/committing-deps.js';
import type { Remembered } from '../commit/remembered.js';
import { sealChange, secretFor } from '../commit/seal-change.js';
import { appendNext } from '../erase/next-events.js';
import { mayBeEnriched } from './decide-enrich.js';

interface EnrichingDeps extends CommittingDeps {
  readonly ledger: Ledger;
  readonly lives: BankLives;
}

/**
 * Puts on record what a model found in a memory: in a stream beside the memory's own, so that no writer is ever in its way, and sealed with
 * the memory's own secret and for the same people, so that whatever ends the memory ends it. Once per version, model and rules, whoever
 * finds it and how often.
 */
export function enrichesMemories(deps: EnrichingDeps): (input: EnrichInput, caller: Caller) => Promise<EnrichOutput> {
  const { ledger, vault, sources, committing, lives } = deps;
  return async (given, caller) => {
    const { memory_id: memoryId, findings, ...read } = readInput(enrichInput, given);
    const { bank } = caller;
    const told = (status: EnrichOutput['status']) => ({ status, memory_id: memoryId, version: read.version });
    await lives.insistOn(bank);
    const { identityKey } = await vault.bankKeys(bank);
    const memory = await committing.memories.upToDate(bank, memoryId);
    if (!mayBeEnriched(memory, read)) return told('passed');
    const secret = await secretOf(memory);
    if (!secret) return told('passed');
    const stream = streamName({ ledger: ledger.id, bank, category: 'understanding', id: memoryId });
    const names = [bank, memoryId, String(read.version), read.model, String(read.rules)];
    const id = uuidV8(keyedDigest(identityKey, 'event/enriched', names));
    const { position } = await appendNext({ ledger, now: sources.now }, stream, async (held, place) => {
      if (held.some((each) => each.id === id)) return [];
      const event = {
        type: 'MemoryEnriched',
        data: { memoryId, ...read, knew: memory.state.revision },
        content: findings,
      } as const;
      const where = { ledger: ledger.id, bank, stream, ...place() };
      const origin = { id, subjects: memory.subjects };
      return [(await sealChange({ vault, sources }, event, where, caller, origin, secret)).encoded];
    });
    return told(position === undefined ? 'unchanged' : 'recorded');
  };

  /** Undefined where an erasure that is under way has ended it. */
  async function secretOf({ secretId }: Remembered) {
    if (secretId === undefined) return undefined;
    try {
      return await secretFor(vault, secretId);
    } catch (error) {
      if (isHindsightError(error, 'key_not_found')) return undefined;
      throw error;
    }
  }
}

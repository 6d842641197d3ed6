import { decodeEnvelope } from '#events/envelope.js';
import { type ErasedMemory, eraseMemory } from './erase-memory.js';
import type { ErasingDeps } from './erasing-deps.js';
import { ordersOf } from './order.js';
import { subjectEvents } from './person.js';

/**
 * Ends a memory to which something was written about a person whose keys were destroyed at that very moment: it came before the erasure and
 * goes with it. False where none of the people was erased: then a key is missing that no erasure took.
 */
export type EndLate = (bank: string, memoryId: string, subjects: readonly string[]) => Promise<boolean>;

export function endsLate(
  deps: Pick<ErasingDeps, 'ledger' | 'vault' | 'sources'> & Pick<ErasingDeps, 'committing'>,
): EndLate {
  return async (bank, memoryId, subjects) => {
    for (const subject of subjects) {
      const erased = (await subjectEvents(deps.ledger, bank, subject)).findLast(({ type }) => type === 'SubjectErased');
      if (!erased) continue;
      const { erasureId } = decodeEnvelope(erased.bytes).data;
      const order = (await ordersOf(deps, bank)).get(String(erasureId));
      if (!order) continue;
      const ended: ErasedMemory = await eraseMemory(deps, order, memoryId, 'late');
      if (ended.mark === undefined) continue;
      await deps.vault.destroy({ secrets: [...ended.secrets], subjects: [], banks: [] }, order);
      return true;
    }
    return false;
  };
}

import { HindsightError } from '#contract/errors.js';
import { keyedHash } from '#events/keyed-hash.js';
import { insistOnAll, type View } from '../basis/open-view.js';

/**
 * The id of the memory that is asked for, by id or by key.
 * @throws HindsightError invalid_input when neither or both are given · memory_not_found · memory_of_another_bank · views_behind when
 * it may be there and cannot be read yet
 */
export async function findMemory(
  view: View,
  asked: { readonly memory_id?: string; readonly key?: string },
): Promise<string> {
  const { reader, bank, keys } = view;
  if ((asked.memory_id === undefined) === (asked.key === undefined))
    throw new HindsightError('invalid_input', 'Give memory_id or key: one of them, and not both.', {
      parameter: 'memory_id',
    });
  if (asked.key !== undefined) {
    const row = await reader.memoryByKey(bank, keyedHash(keys.indexKey, 'slot', asked.key));
    if (row) return row.memoryId;
    insistOnAll(view);
    throw new HindsightError('memory_not_found', `No memory of this bank has the key ${shown(asked.key)}.`, {
      parameter: 'key',
    });
  }
  const memoryId = asked.memory_id!;
  if (await reader.memory(bank, memoryId)) return memoryId;
  if (await reader.isMemoryOfAnotherBank(bank, memoryId))
    throw new HindsightError('memory_of_another_bank', `${shown(memoryId)} is a memory of another bank.`, {
      parameter: 'memory_id',
    });
  insistOnAll(view);
  throw new HindsightError('memory_not_found', `This bank has no memory ${shown(memoryId)}.`, {
    parameter: 'memory_id',
  });
}

function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

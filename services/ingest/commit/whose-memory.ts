import type { Caller } from '#contract/caller.js';
import { HindsightError, isHindsightError } from '#contract/errors.js';

/** Whether another bank holds this memory. Asked only about one that the caller's bank does not have. */
export type IsOfAnotherBank = (memoryId: string, caller: Caller) => Promise<boolean>;

/** Says of a memory that was not found when it is another bank's; any other error comes back as it is. */
export async function orOfAnotherBank(
  error: unknown,
  memoryId: string,
  caller: Caller,
  isOfAnotherBank: IsOfAnotherBank,
): Promise<unknown> {
  if (!isHindsightError(error, 'memory_not_found') || !(await isOfAnotherBank(memoryId, caller))) return error;
  const [parameter = 'memory_id'] = Object.keys(error.details);
  return new HindsightError(
    'memory_of_another_bank',
    `${parameter} is ${JSON.stringify(memoryId)}, which is a memory of another bank.`,
    error.details,
  );
}

import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import { type ErrorCode, isHindsightError } from '#contract/errors.js';
import type { Forget } from './imported.js';

/**
 * Takes a memory out of what is served, as its source has it. What stands there already, or keeps it back more firmly, is left as it is.
 * @returns whether anything changed
 * @throws HindsightError memory_not_found · memory_erased · memory_quarantined (it is to be retracted, which a reviewer decides) and what commands throw
 */
export async function setAside(
  commands: Pick<CommandPort, 'forget' | 'review'>,
  { id: memory_id, reason, as = 'retracted' }: Omit<Forget, 'as'> & { readonly as?: Forget['as'] | undefined },
  caller: Caller,
): Promise<boolean> {
  const review = async (verdict: 'quarantine' | 'reject') =>
    (await commands.review({ memory_id, verdict, reason }, caller)).status !== 'unchanged';
  const forget = async (mode: 'retract' | 'archive') =>
    (await commands.forget({ memory_id, mode, reason }, caller)).status === 'forgotten';
  switch (as) {
    case 'retracted':
      return forget('retract');
    case 'archived':
      return (await unless(['not_current', 'memory_quarantined'], forget('archive'))) ?? false;
    case 'quarantined':
      return (await unless(['not_current'], review('quarantine'))) ?? false;
    case 'rejected': {
      const rejected = await unless(['not_quarantined'], review('reject'));
      if (rejected !== undefined) return rejected;
      const held = await unless(['not_current'], review('quarantine'));
      return held === undefined ? false : review('reject');
    }
  }
}

/** Undefined where it was refused with one of these codes. */
async function unless(codes: readonly ErrorCode[], done: Promise<boolean>): Promise<boolean | undefined> {
  try {
    return await done;
  } catch (error) {
    if (isHindsightError(error) && codes.includes(error.code)) return undefined;
    throw error;
  }
}

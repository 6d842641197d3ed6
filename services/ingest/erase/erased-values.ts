import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import { bankStream } from '../banks/bank-life.js';
import { fingerprintOf } from './erase-memory.js';
import type { ErasingViews } from './erasing-deps.js';

/** Refuses values that were erased, where nobody means them to come back. */
export interface ErasedValues {
  /** Which of these contents (JSON text) were erased in the caller's bank. @throws views_behind and the like */
  among(contents: readonly string[], caller: Caller): Promise<ReadonlySet<string>>;
}

export function erasedValues(deps: {
  readonly ledger: Pick<Ledger, 'id' | 'readStream'>;
  readonly vault: Vault;
  readonly views: Pick<ErasingViews, 'upToDate'>;
}): ErasedValues {
  const { ledger, vault, views } = deps;
  return {
    async among(contents, { bank }) {
      if (contents.length === 0 || !(await wasErasedFrom(ledger, bank))) return new Set();
      const { identityKey } = await vault.bankKeys(bank);
      const prints = new Map(contents.map((content) => [fingerprintOf(identityKey, content), content]));
      const reader = await views.upToDate(bank);
      const erased = await reader.erasedValues(bank, [...prints.keys()]);
      return new Set(erased.map((print) => prints.get(print)!));
    },
  };
}

/** From its own short stream, so that a bank from which nothing was erased needs no views for it. */
async function wasErasedFrom(ledger: Pick<Ledger, 'id' | 'readStream'>, bank: string): Promise<boolean> {
  for await (const { type } of ledger.readStream(bankStream(ledger.id, bank)))
    if (type === 'ErasureOrdered') return true;
  return false;
}

export function valueErased(memoryId: string): HindsightError {
  return new HindsightError(
    'value_erased',
    'This value was erased: neither an import nor a background job may bring it back.',
    { memory_id: memoryId },
  );
}

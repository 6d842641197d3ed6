import { HindsightError } from '#contract/errors.js';
import { streamName } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';

/** Banks whose life this process remembers. */
const rememberedBanks = 10_000;

/** Whether banks are there, from their own streams. */
export interface BankLives {
  of(bank: string): Promise<'absent' | 'alive' | 'erased'>;
  /** Refuses what would be put into a bank that was ended. @throws HindsightError bank_erased */
  insistOn(bank: string): Promise<void>;
}

/** Reads of a bank's stream what is new each time: nearly always nothing. What was erased stays so. */
export function bankLives(ledger: Pick<Ledger, 'id' | 'readStream'>): BankLives {
  const known = new Map<string, { readonly revision: number; readonly erased: boolean }>();
  const of: BankLives['of'] = async (bank) => {
    let { revision, erased } = known.get(bank) ?? { revision: -1, erased: false };
    if (erased) return 'erased';
    const stream = bankStream(ledger.id, bank);
    for await (const stored of ledger.readStream(stream, { from: revision + 1 })) {
      revision = stored.revision;
      erased ||= stored.type === 'BankErased';
    }
    if (revision < 0) return 'absent';
    known.delete(bank);
    known.set(bank, { revision, erased });
    if (known.size > rememberedBanks) known.delete(known.keys().next().value!);
    return erased ? 'erased' : 'alive';
  };
  return {
    of,
    async insistOn(bank) {
      if ((await of(bank)) !== 'erased') return;
      throw new HindsightError('bank_erased', 'This bank was deleted, with all that was in it.', { bank });
    },
  };
}

export function bankStream(ledger: string, bank: string): string {
  return streamName({ ledger, bank, category: 'bank', id: bank });
}

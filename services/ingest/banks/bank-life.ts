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

export interface BankLivesOptions {
  /**
   * Milliseconds for which `insistOn` takes a bank for alive that was, counted from before it was asked for; 0 by default. Whoever deletes a
   * bank lets as many pass after the event that says so, before its keys end and before anybody is told (see `destroyOrdered`): what is
   * written on the strength of an older answer came before the deletion, and goes with the bank.
   */
  readonly freshFor?: number | undefined;
  /** Milliseconds on a clock that never runs back. */
  readonly now?: () => number;
}

/** Reads of a bank's stream what is new each time: nearly always nothing. What was erased stays so. */
export function bankLives(
  ledger: Pick<Ledger, 'id' | 'readStream'>,
  { freshFor = 0, now = () => performance.now() }: BankLivesOptions = {},
): BankLives {
  const asked = new Map<string, { readonly at: number; readonly answer: ReturnType<BankLives['of']> }>();
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

  /** Whoever comes while it is asked for waits for the same answer: at 500 writes a second a dozen come in the time of one read. */
  async function lately(bank: string): ReturnType<BankLives['of']> {
    const at = now();
    const before = asked.get(bank);
    if (before && at - before.at < freshFor) return before.answer;
    const mine = { at, answer: of(bank) };
    asked.delete(bank);
    asked.set(bank, mine);
    if (asked.size > rememberedBanks) asked.delete(asked.keys().next().value!);
    const forget = () => asked.get(bank) === mine && asked.delete(bank);
    // A bank that is not there yet may be made at any moment, and an answer that failed is none.
    mine.answer.then((life) => life === 'alive' || forget(), forget);
    return mine.answer;
  }

  return {
    of,
    async insistOn(bank) {
      if ((await (freshFor > 0 ? lately(bank) : of(bank))) !== 'erased') return;
      throw new HindsightError('bank_erased', 'This bank was deleted, with all that was in it.', { bank });
    },
  };
}

export function bankStream(ledger: string, bank: string): string {
  return streamName({ ledger, bank, category: 'bank', id: bank });
}

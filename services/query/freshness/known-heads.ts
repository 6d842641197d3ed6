import { decodeBasis } from '#contract/basis.js';
import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import type { WrittenHeads } from '#views/written-heads.js';

/** Banks whose last write this process remembers. */
const rememberedBanks = 10_000;

/** What this process itself knows was written; with `others`, what other processes tell too. */
export function knownHeads(others?: WrittenHeads): WrittenHeads {
  const own = new Map<string, string>();
  return {
    async note(bank, position) {
      const known = own.get(bank);
      own.delete(bank);
      own.set(bank, known !== undefined && known > position ? known : position);
      if (own.size > rememberedBanks) own.delete(own.keys().next().value!);
      await others?.note(bank, position);
    },
    async last(bank) {
      const told = await others?.last(bank);
      const known = own.get(bank);
      return told !== undefined && told > (known ?? '') ? told : known;
    },
  };
}

/** Notes what commands of other processes answer to have written, so that whoever asks here next sees it. */
export function notingAnswers<T extends CommandPort>(commands: T, heads: WrittenHeads, ledger: string): T {
  async function noted<A extends { readonly basis?: string }>(answer: Promise<A>, { bank }: Caller): Promise<A> {
    const { basis } = await answer;
    const position = basis === undefined ? undefined : decodeBasis(basis, { ledger, bank }).position;
    if (position !== undefined) await heads.note(bank, position);
    return answer;
  }
  return {
    ...commands,
    write: (input, caller) => noted(commands.write(input, caller), caller),
    importItems: (items, caller) => noted(commands.importItems(items, caller), caller),
    forget: (input, caller) => noted(commands.forget(input, caller), caller),
    restore: (input, caller) => noted(commands.restore(input, caller), caller),
    review: (input, caller) => noted(commands.review(input, caller), caller),
    rate: (input, caller) => noted(commands.rate(input, caller), caller),
    erase: (input, caller) => noted(commands.erase(input, caller), caller),
  };
}

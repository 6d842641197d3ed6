import type { Vault } from '#sealing/vault.js';

/** The keys that an erase ended, as a vault answers for them afterwards. */
export interface Ended {
  readonly secrets: Set<string>;
  readonly banks: Set<string>;
}

/** The same vault without some keys: what is asked for is what a vault says of keys that were destroyed. */
export function vaultWithout(vault: Vault, { secrets, banks }: Ended): Vault {
  return {
    ...vault,
    secret: async (id) => (secrets.has(id) ? undefined : vault.secret(id)),
    knownBankKeys: async (bank) => (banks.has(bank) ? undefined : vault.knownBankKeys(bank)),
    async bankKeys(bank) {
      if (banks.has(bank)) throw new Error(`keys of ${bank} were asked for again, and would be made`);
      return vault.bankKeys(bank);
    },
  };
}

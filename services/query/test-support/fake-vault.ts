import { createHash } from 'node:crypto';
import type { BankKeys, Vault } from '#sealing/vault.js';

/** A vault whose secrets follow from their names: nothing is stored, everything opens again. */
export function fakeVault(): Vault {
  let made = 0;
  const keys = new Map<string, BankKeys>();
  const bankKeys = (bank: string): BankKeys => {
    const known = keys.get(bank) ?? {
      bank,
      secret: derived(`bank ${bank}`),
      identityKey: derived(`identity ${bank}`),
      indexKey: derived(`index ${bank}`),
    };
    keys.set(bank, known);
    return known;
  };
  return {
    ledgerKey: async () => derived('ledger'),
    serviceKey: async () => derived('service'),
    bankKeys: async (bank) => bankKeys(bank),
    knownBankKeys: async (bank) => bankKeys(bank),
    knownSubjectSecret: async (bank, subject) => derived(`subject ${bank} ${subject}`),
    subjectSecret: async (bank, subject) => derived(`subject ${bank} ${subject}`),
    freshSecret: async () => ({ id: `0.${made}`, secret: derived(`secret 0.${made++}`) }),
    secret: async (id) => derived(`secret ${id}`),
    destroy: unsupported,
    mayDestroy: unsupported,
    rotate: unsupported,
    epoch: async () => 1,
    close: async () => undefined,
  };
}

async function unsupported(): Promise<never> {
  throw new Error('keys that follow from their names cannot be destroyed');
}

function derived(name: string): Uint8Array {
  return createHash('sha256').update(name).digest();
}

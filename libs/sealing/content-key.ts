import { hkdfDeriver } from './hkdf.js';
import type { Vault } from './vault.js';

const info = 'hindsight-ledger/content/1';

/**
 * HKDF-SHA-256 (RFC 5869) over the memory's secret, salted by the bank's secret and those of its subjects in the order of
 * their hashes: destroying any one of them ends the key (docs/decisions/0004-keys.md).
 */
export function deriveContentKey(
  secret: Uint8Array,
  bankSecret: Uint8Array,
  subjectSecrets: readonly Uint8Array[] = [],
): Uint8Array {
  if (subjectSecrets.length) return hkdfDeriver(Buffer.concat([bankSecret, ...subjectSecrets]), info)(secret);
  let derive = byBank.get(bankSecret);
  if (!derive) {
    derive = hkdfDeriver(bankSecret, info);
    byBank.set(bankSecret, derive);
  }
  return derive(secret);
}

/** Prepared derivations, for as long as their bank's secret is held. */
const byBank = new WeakMap<Uint8Array, (secret: Uint8Array) => Uint8Array>();

/** The content key of a box; undefined when any of its secrets is gone. `subjects` are keyed hashes. Makes nothing. */
export async function contentKeyOf(
  vault: Vault,
  bank: string,
  secretId: string,
  subjects: readonly string[] = [],
): Promise<Uint8Array | undefined> {
  const secret = await vault.secret(secretId);
  const bankKeys = secret && (await vault.knownBankKeys(bank));
  if (!bankKeys) return undefined;
  if (subjects.length === 0) return deriveContentKey(secret, bankKeys.secret);
  const found = await Promise.all(inOrder(subjects).map((each) => vault.knownSubjectSecret(bank, each)));
  return found.every((each) => each !== undefined) ? deriveContentKey(secret, bankKeys.secret, found) : undefined;
}

/** Derives the key of a secret in hand, for writing: the secrets of subjects that have none yet are made. */
export async function salted(
  vault: Vault,
  bank: string,
  secret: Uint8Array,
  subjects: readonly string[] = [],
): Promise<Uint8Array> {
  const { secret: bankSecret } = await vault.bankKeys(bank);
  if (subjects.length === 0) return deriveContentKey(secret, bankSecret);
  return deriveContentKey(
    secret,
    bankSecret,
    await Promise.all(inOrder(subjects).map((each) => vault.subjectSecret(bank, each))),
  );
}

function inOrder(subjects: readonly string[]): string[] {
  return [...new Set(subjects)].sort();
}

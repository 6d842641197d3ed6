import { hkdfSync } from 'node:crypto';
import type { Vault } from './vault.js';

/**
 * HKDF-SHA-256 (RFC 5869) over the memory's secret, salted by the bank's secret and those of its subjects in the order of
 * their hashes: destroying any one of them ends the key (DESIGN §7).
 */
export function deriveContentKey(
  secret: Uint8Array,
  bankSecret: Uint8Array,
  subjectSecrets: readonly Uint8Array[] = [],
): Uint8Array {
  const salt = subjectSecrets.length ? Buffer.concat([bankSecret, ...subjectSecrets]) : bankSecret;
  return new Uint8Array(hkdfSync('sha256', secret, salt, 'hindsight-ledger/content/1', 32));
}

/** The content key of a box; undefined when its secret is gone. `subjects` are keyed hashes. */
export async function contentKeyOf(
  vault: Vault,
  bank: string,
  secretId: string,
  subjects: readonly string[] = [],
): Promise<Uint8Array | undefined> {
  const secret = await vault.secret(secretId);
  return secret && salted(vault, bank, secret, subjects);
}

/** Derives the key of a secret in hand, as `contentKeyOf` does for one that is looked up. */
export async function salted(
  vault: Vault,
  bank: string,
  secret: Uint8Array,
  subjects: readonly string[] = [],
): Promise<Uint8Array> {
  const { secret: bankSecret } = await vault.bankKeys(bank);
  if (subjects.length === 0) return deriveContentKey(secret, bankSecret);
  const ordered = [...new Set(subjects)].sort();
  return deriveContentKey(
    secret,
    bankSecret,
    await Promise.all(ordered.map((each) => vault.subjectSecret(bank, each))),
  );
}

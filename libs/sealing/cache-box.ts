import { hkdfDeriver } from './hkdf.js';
import { openBytes, sealBytes } from './sealed-bytes.js';
import type { BankKeys } from './vault.js';

const info = 'hindsight-ledger/cache/1';
/** Each value has a key of its own: under one for all, nonces drawn by chance would begin to meet after 2^32 values. */
const saltBytes = 16;
const nonceBytes = 12;

/** Prepared derivations, for as long as their bank's secret is held. */
const byBank = new WeakMap<Uint8Array, (salt: Uint8Array) => Uint8Array>();

/**
 * Seals what a cache outside of the process keeps of a bank: salt ‖ nonce ‖ ciphertext ‖ tag. It ends with the bank's secret.
 * @param associated where the value stands: moved elsewhere it does not open
 */
export function sealCached(
  { secret }: BankKeys,
  plain: Uint8Array,
  associated: string,
  random: (bytes: number) => Uint8Array,
): Uint8Array {
  const salt = random(saltBytes);
  return Buffer.concat([salt, sealBytes(keyOf(secret, salt), random(nonceBytes), plain, associated)]);
}

/** Undefined for whatever was not sealed by this bank for this place. */
export function openCached({ secret }: BankKeys, sealed: Uint8Array, associated: string): Uint8Array | undefined {
  try {
    const salt = sealed.subarray(0, saltBytes);
    return openBytes(keyOf(secret, salt), sealed.subarray(saltBytes), associated);
  } catch {
    return undefined;
  }
}

function keyOf(secret: Uint8Array, salt: Uint8Array): Uint8Array {
  let derive = byBank.get(secret);
  if (!derive) {
    derive = hkdfDeriver(secret, info);
    byBank.set(secret, derive);
  }
  return derive(salt);
}

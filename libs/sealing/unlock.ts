import { HindsightError } from '#contract/errors.js';
import type { Sources } from '#contract/sources.js';
import type { KeyStore, StoredBucket } from './key-store.js';
import { fits, type Keyring, keyCheckOf, type MasterKey, wrappingKeyOf } from './master-key.js';

export interface VaultParts {
  readonly keyStore: KeyStore;
  readonly masterKey: MasterKey;
  readonly sources: Pick<Sources, 'random'>;
}

/** The master key in use: moves on when another process has started a new epoch. */
export interface Unlocked {
  readonly epoch: number;
  /** Of the epoch in force. */
  readonly wrappingKey: Uint8Array;
  /** Of the epoch that wraps this bucket; undefined when the keyring lacks it. */
  wrappingKeyOf(bucket: StoredBucket): Uint8Array | undefined;
}

/**
 * Finds the master key of the key store's epoch; makes the first one where the store was never used.
 * @throws HindsightError master_key_missing · master_key_wrong · newer_format · not_writable · disk_full
 */
export async function unlock({ keyStore, masterKey, sources }: VaultParts): Promise<Unlocked> {
  // The store is asked first: whoever began it had made the master key durable before.
  let stored = await keyStore.epoch();
  let keyring = await masterKey.read();
  if (!stored) {
    keyring ??= await masterKey.create(new Map([[1, sources.random(32)]]));
    const epoch = Math.max(...keyring.keys());
    stored = await keyStore.begin(keyCheckOf(epoch, keyring.get(epoch)!));
  }
  if (!keyring)
    throw new HindsightError('master_key_missing', `${masterKey.place} is not there, but keys wrapped by it are.`, {
      file: masterKey.place,
    });
  if (!fits(keyring, stored))
    throw new HindsightError(
      'master_key_wrong',
      `${masterKey.place} is not the master key that the keys of this home are wrapped by.`,
      { file: masterKey.place, epoch: stored.epoch },
    );
  return unlocked(stored.epoch, keyring);
}

function unlocked(epoch: number, keyring: Keyring): Unlocked {
  const wrappingKeys = new Map([...keyring].map(([each, master]) => [each, wrappingKeyOf(master)]));
  return {
    epoch,
    wrappingKey: wrappingKeys.get(epoch)!,
    wrappingKeyOf: (bucket) => wrappingKeys.get(bucket.epoch),
  };
}

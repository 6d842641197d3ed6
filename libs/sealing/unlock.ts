import { HindsightError } from '#contract/errors.js';
import type { Sources } from '#contract/sources.js';
import type { KeyCopy } from './key-copy.js';
import type { KeyStore, StoredBucket, StoredEpoch } from './key-store.js';
import { fits, type Keyring, keyCheckOf, type MasterKey, wrappingKeyOf } from './master-key.js';

export interface VaultParts {
  readonly keyStore: KeyStore;
  readonly masterKey: MasterKey;
  readonly sources: Pick<Sources, 'random'>;
  /** The copy of the keys that is made anew whenever the master key moves. */
  readonly copy?: KeyCopy;
  /** How long another process may go on serving what was destroyed from its memory, in milliseconds; 10 by default. */
  readonly noticeWithin?: number;
}

/** The master key in use: moves on when another process has started a new epoch. */
export interface Unlocked {
  readonly epoch: number;
  /** Of the epoch in force. */
  readonly wrappingKey: Uint8Array;
  /** Of the epoch that wraps this bucket; undefined when that is not the epoch in force. */
  wrappingKeyOf(bucket: StoredBucket): Uint8Array | undefined;
}

/** How often the epoch may move between two looks: each move is an erase by somebody else. */
const patience = 5;

/**
 * Finds the master key of the key store's epoch; makes the first one where the store was never used.
 * @throws HindsightError master_key_missing · master_key_wrong · newer_format · not_writable · disk_full
 */
export async function unlock({ keyStore, masterKey, sources }: VaultParts): Promise<Unlocked> {
  // The store is asked first: whoever began it, or moved it, had made the master key durable before.
  let stored = await keyStore.epoch();
  for (let tries = 1; ; tries++) {
    let keyring = await masterKey.read();
    if (!stored) {
      keyring ??= await masterKey.create(new Map([[1, sources.random(32)]]));
      const epoch = Math.max(...keyring.keys());
      stored = await keyStore.begin(keyCheckOf(epoch, keyring.get(epoch)!));
    }
    try {
      const wrappingKey = wrappingKeyOf(masterOf(keyring, stored, masterKey.place));
      const { epoch } = stored;
      // Only of the epoch in force: what another one wraps is a row from before or after, to be read again.
      return { epoch, wrappingKey, wrappingKeyOf: (bucket) => (bucket.epoch === epoch ? wrappingKey : undefined) };
    } catch (error) {
      // Moved between the two looks: the file holds the key of the next epoch alone.
      const now = await keyStore.epoch();
      if (now?.epoch === stored.epoch || tries >= patience) throw error;
      stored = now;
    }
  }
}

/**
 * The master key of an epoch.
 * @throws HindsightError master_key_missing · master_key_wrong
 */
export function masterOf(keyring: Keyring | undefined, stored: StoredEpoch, place: string): Uint8Array {
  if (!keyring)
    throw new HindsightError('master_key_missing', `${place} is not there, but keys wrapped by it are.`, {
      file: place,
    });
  if (!fits(keyring, stored))
    throw new HindsightError(
      'master_key_wrong',
      `${place} is not the master key that the keys of this home are wrapped by.`,
      { file: place, epoch: stored.epoch },
    );
  return keyring.get(stored.epoch)!;
}

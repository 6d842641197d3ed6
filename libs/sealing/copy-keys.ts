import { HindsightError } from '#contract/errors.js';
import { type Bucket, unwrapBucket, wrapBucket } from './bucket.js';
import type { KeyStore, StoredBucket } from './key-store.js';
import { type Unlocked, unlock, type VaultParts } from './unlock.js';

export interface CopiedKeys {
  /** Buckets of up to 1,024 secrets; those that were there already are not counted. */
  readonly buckets: number;
  readonly names: number;
}

const page = 200;

/**
 * Copies every secret and every name to another key store, wrapped anew by its master key, which is made when there is none. What is there
 * already is compared, so it can be done again, and both sides may be in use: what is made meanwhile needs another run.
 * @throws HindsightError invalid_config when the other store has other keys under the same ids or names, as when secrets were destroyed
 * in one of them · master_key_missing · master_key_wrong · key_not_found
 */
export async function copyKeys(from: VaultParts, to: VaultParts): Promise<CopiedKeys> {
  const source = await unlock(from);
  const target = await unlock(to);
  // Buckets first: a name is never there before what it names.
  const buckets = await copyBuckets(from.keyStore, source, to, target);
  return { buckets, names: await copyNames(from.keyStore, to.keyStore, target.epoch) };
}

async function copyBuckets(from: KeyStore, source: Unlocked, to: VaultParts, target: Unlocked): Promise<number> {
  let copied = 0;
  for (let ids = await from.bucketIds(undefined, page); ids.length > 0; ids = await from.bucketIds(ids.at(-1), page)) {
    for (const id of ids) {
      const stored = await from.bucket(id);
      if (!stored) continue;
      const bucket = opened(stored, source);
      const there = await to.keyStore.bucket(id);
      if (there) {
        if (Buffer.compare(opened(there, target).secrets, bucket.secrets) !== 0) throw otherKeys(`bucket ${id}`);
        continue;
      }
      if (!(await to.keyStore.addBucket(wrapBucket(bucket, target.epoch, target.wrappingKey, to.sources))))
        throw moved();
      copied += 1;
    }
  }
  return copied;
}

async function copyNames(from: KeyStore, to: KeyStore, epoch: number): Promise<number> {
  let copied = 0;
  for (
    let names = await from.names(undefined, page);
    names.length > 0;
    names = await from.names(names.at(-1)![0], page)
  ) {
    const known = await to.named(names.map(([name]) => name));
    const missing = new Map(names.filter((_, index) => known[index] === undefined));
    if (missing.size > 0 && !(await to.nameKeys(epoch, missing))) throw moved();
    copied += missing.size;
    const standing = await to.named(names.map(([name]) => name));
    const other = names.find(([, id], index) => standing[index] !== id);
    if (other) throw otherKeys(`the key named ${other[0]}`);
  }
  return copied;
}

function opened(stored: StoredBucket, master: Unlocked): Bucket {
  const key = master.wrappingKeyOf(stored);
  try {
    if (key) return unwrapBucket(stored, key);
  } catch (cause) {
    throw new HindsightError(
      'key_not_found',
      `Bucket ${stored.id} of the key store is damaged.`,
      { bucket: stored.id },
      { cause },
    );
  }
  throw moved();
}

function moved(): HindsightError {
  return new HindsightError('ledger_busy', 'The master key was changed while keys were copied: copy them again.');
}

function otherKeys(what: string): HindsightError {
  return new HindsightError(
    'invalid_config',
    `The key store that keys are copied to has ${what} already, and it is another one. Give one that is empty.`,
  );
}

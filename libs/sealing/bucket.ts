import type { Sources } from '#contract/sources.js';
import type { StoredBucket, WrappedKey } from './key-store.js';
import { openBytes, sealBytes } from './sealed-bytes.js';

/** Secrets in one bucket, at most: what one erase has to seal anew (docs/decisions/0004-keys.md). */
export const maxSecrets = 1024;
export const secretBytes = 32;

/** The secrets of one bucket, one after another. A slot of zeros is one whose secret was destroyed. */
export interface Bucket {
  readonly id: string;
  readonly secrets: Uint8Array;
}

/** Names one secret: `<bucket>.<slot>`, as it stands in a sealed box. */
export function keyId(bucket: string, slot: number): string {
  return `${bucket}.${slot}`;
}

/** The parts of a key id; undefined for a text that is none. */
export function parseKeyId(id: string): { bucket: string; slot: number } | undefined {
  const dot = id.lastIndexOf('.');
  const slot = Number(id.slice(dot + 1));
  return dot > 0 && Number.isInteger(slot) && slot >= 0 ? { bucket: id.slice(0, dot), slot } : undefined;
}

/** The secret in a slot; undefined when there is none, or none any more. */
export function secretIn(bucket: Bucket, slot: number): Uint8Array | undefined {
  const secret = bucket.secrets.subarray(slot * secretBytes, (slot + 1) * secretBytes);
  return secret.length === secretBytes && secret.some((byte) => byte !== 0) ? secret : undefined;
}

/**
 * A new bucket of random secrets. Its id is random too: a key store restored from an older copy must not give the ids of
 * lost buckets to new ones, or their events would look tampered with instead of naming the missing key.
 */
export function makeBucket(size: number, sources: Pick<Sources, 'random'>): Bucket {
  return {
    id: Buffer.from(sources.random(8)).toString('base64url'),
    secrets: sources.random(size * secretBytes),
  };
}

/** Seals a bucket under a key of its own, and that key under the wrapping key of a master key epoch. */
export function wrapBucket(
  bucket: Bucket,
  epoch: number,
  wrappingKey: Uint8Array,
  sources: Pick<Sources, 'random'>,
): StoredBucket {
  const key = sources.random(32);
  return {
    id: bucket.id,
    sealedIn: epoch,
    blob: sealBytes(key, sources.random(12), bucket.secrets, blobContext(bucket.id, epoch)),
    epoch,
    wrappedKey: sealBytes(wrappingKey, sources.random(12), key, keyContext(bucket.id, epoch)),
  };
}

/** A bucket's key, wrapped by the next epoch. @throws Error when it is damaged, or wrapped by another key */
export function rewrapKey(
  { id, epoch, wrappedKey }: WrappedKey,
  wrappingKey: Uint8Array,
  next: { readonly epoch: number; readonly wrappingKey: Uint8Array },
  sources: Pick<Sources, 'random'>,
): WrappedKey {
  const key = openBytes(wrappingKey, wrappedKey, keyContext(id, epoch));
  const wrapped = sealBytes(next.wrappingKey, sources.random(12), key, keyContext(id, next.epoch));
  return { id, epoch: next.epoch, wrappedKey: wrapped };
}

/** The bucket without the secrets in these slots. */
export function without({ id, secrets }: Bucket, slots: Iterable<number>): Bucket {
  const left = Uint8Array.from(secrets);
  for (const slot of slots) left.fill(0, slot * secretBytes, (slot + 1) * secretBytes);
  return { id, secrets: left };
}

/** @throws Error when the stored bucket is damaged, or wrapped by another key */
export function unwrapBucket(stored: StoredBucket, wrappingKey: Uint8Array): Bucket {
  const key = openBytes(wrappingKey, stored.wrappedKey, keyContext(stored.id, stored.epoch));
  return { id: stored.id, secrets: openBytes(key, stored.blob, blobContext(stored.id, stored.sealedIn)) };
}

function blobContext(bucket: string, epoch: number): string {
  return `hl-bucket-1\n${bucket}\n${epoch}\n`;
}

function keyContext(bucket: string, epoch: number): string {
  return `hl-bucket-key-1\n${bucket}\n${epoch}\n`;
}

import type { KeyBundle } from './key-bundle.js';
import type { KeyStore } from './key-store.js';

/** The keys of a bundle as they are in the file, for a vault that opens and makes nothing: all else that a store does is refused. */
export function bundleKeyStore({ epoch, buckets, names }: KeyBundle): KeyStore {
  const byId = new Map(buckets.map((bucket) => [bucket.id, bucket]));
  const byName = new Map(names);
  return {
    epoch: async () => epoch,
    begin: async () => epoch,
    bucket: async (id) => byId.get(id),
    named: async (asked) => asked.map((name) => byName.get(name)),
    lastBundle: async () => undefined,
    close: async () => undefined,
    addBucket: refused,
    bucketIds: refused,
    names: refused,
    nameKeys: refused,
    exclusively: refused,
    noteBundle: refused,
    scrub: refused,
  };
}

async function refused(): Promise<never> {
  throw new TypeError('a copy of the keys is only asked for keys');
}

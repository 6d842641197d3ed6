import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeyStore, StoredBucket } from './key-store.js';

/** What every key store does. `open` gives stores over one and the same, empty place until `clear` is called. */
export function keyStoreContract(place: { open(): Promise<KeyStore>; clear(): Promise<void> }): void {
  let store: KeyStore;
  let another: KeyStore;
  const first = { epoch: 1, check: Buffer.alloc(32, 1) };

  beforeEach(async () => {
    store = await place.open();
    another = await place.open();
  });
  afterEach(async () => {
    await Promise.all([store.close(), another.close()]);
    await place.clear();
  });

  const bucket = (id: string, epoch = 1): StoredBucket => ({
    id,
    sealedIn: epoch,
    blob: Buffer.from(`blob of ${id}`),
    epoch,
    wrappedKey: Buffer.from(`key of ${id}`),
  });

  describe('epochs', () => {
    it('has none before it is used', async () => {
      expect(await store.epoch()).toBeUndefined();
      expect(await store.addBucket(bucket('a'))).toBe(false);
      expect(await store.nameKeys(1, new Map([['ledger', 'a.0']]))).toBeUndefined();
    });

    it('begins once: whoever comes second learns what the first began with', async () => {
      expect(await store.begin(first)).toMatchObject({ epoch: 1 });
      const second = await another.begin({ epoch: 1, check: Buffer.alloc(32, 2) });
      expect(Buffer.from(second.check)).toEqual(first.check);
      expect(Buffer.from((await another.epoch())!.check)).toEqual(first.check);
    });
  });

  describe('buckets', () => {
    beforeEach(() => store.begin(first));

    it('gives back to another process what was added', async () => {
      expect(await store.addBucket(bucket('a'))).toBe(true);
      const found = (await another.bucket('a'))!;
      expect({ ...found, blob: Buffer.from(found.blob), wrappedKey: Buffer.from(found.wrappedKey) }).toEqual(
        bucket('a'),
      );
      expect(await another.bucket('b')).toBeUndefined();
    });

    it('refuses a bucket that was wrapped in another epoch, and keeps nothing of it', async () => {
      expect(await store.addBucket(bucket('a', 2))).toBe(false);
      expect(await store.bucket('a')).toBeUndefined();
    });

    it('never replaces a bucket', async () => {
      await store.addBucket(bucket('a'));
      await expect(another.addBucket({ ...bucket('a'), blob: Buffer.from('other') })).rejects.toThrow();
      expect(Buffer.from((await store.bucket('a'))!.blob).toString()).toBe('blob of a');
    });
  });

  describe('names', () => {
    beforeEach(() => store.begin(first));

    it('keeps the first key id of a name, and answers in the order asked for', async () => {
      expect(await store.nameKeys(1, new Map([['x', 'a.0']]))).toEqual(['a.0']);
      expect(
        await another.nameKeys(
          1,
          new Map([
            ['y', 'b.1'],
            ['x', 'b.0'],
          ]),
        ),
      ).toEqual(['b.1', 'a.0']);
      expect(await store.named(['x', 'nobody', 'y'])).toEqual(['a.0', undefined, 'b.1']);
    });

    it('refuses names given in another epoch', async () => {
      expect(await store.nameKeys(2, new Map([['x', 'a.0']]))).toBeUndefined();
      expect(await store.named(['x'])).toEqual([undefined]);
    });
  });

  describe('listing', () => {
    beforeEach(() => store.begin(first));

    it('gives every bucket and every name once, in pages', async () => {
      const ids = ['B', '_', 'a', '-1', 'z', 'Zz', '0'];
      for (const id of ids) await store.addBucket(bucket(id));
      await store.nameKeys(1, new Map(ids.map((id) => [`bank/${id}/secret`, `${id}.0`])));
      const buckets: string[] = [];
      const names: [string, string][] = [];
      for (
        let page = await another.bucketIds(undefined, 3);
        page.length > 0;
        page = await another.bucketIds(page.at(-1), 3)
      )
        buckets.push(...page);
      for (
        let page = await another.names(undefined, 3);
        page.length > 0;
        page = await another.names(page.at(-1)![0], 3)
      )
        for (const [name, id] of page) names.push([name, id]);
      expect(buckets.toSorted()).toEqual(ids.toSorted());
      expect(new Map(names)).toEqual(new Map(ids.map((id) => [`bank/${id}/secret`, `${id}.0`])));
      expect(names).toHaveLength(ids.length);
    });
  });
}

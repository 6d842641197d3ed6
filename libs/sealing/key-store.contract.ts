import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { graveName } from './key-names.js';
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

  it('remembers the copy that was made last', async () => {
    expect(await store.lastBundle()).toBeUndefined();
    await store.noteBundle({ epoch: 1, made: '2026-01-01T00:00:00.000Z', place: '/one' });
    const last = { epoch: 2, made: '2026-02-01T00:00:00.000Z', place: '/two' };
    await another.noteBundle(last);
    expect(await store.lastBundle()).toEqual(last);
  });

  describe('a move to the next epoch', () => {
    const next = { epoch: 2, check: Buffer.alloc(32, 2) };
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    beforeEach(async () => {
      await store.begin(first);
      for (const id of ['a', 'b', 'c']) await store.addBucket(bucket(id));
      await store.nameKeys(
        1,
        new Map([
          ['bank/b1/secret', 'a.0'],
          ['bank/b1/index', 'a.1'],
          ['bank/b10/secret', 'b.0'],
          ['subject/b1/s', 'b.1'],
        ]),
      );
    });

    it('sees all that was added, in pages', async () => {
      await another.exclusively(async (keys) => {
        expect(keys.epoch).toMatchObject({ epoch: 1 });
        expect(text((await keys.bucket('b'))!.blob)).toBe('blob of b');
        expect(await keys.named(['subject/b1/s', 'nobody'])).toEqual(['b.1', undefined]);
        const under = await keys.namesUnder('bank/b1/');
        expect(under.toSorted()).toEqual([
          ['bank/b1/index', 'a.1'],
          ['bank/b1/secret', 'a.0'],
        ]);
        const one = await keys.wrappedKeys(undefined, 2);
        const two = await keys.wrappedKeys(one.at(-1)!.id, 2);
        expect([...one, ...two].map(({ id, epoch, wrappedKey }) => [id, epoch, text(wrappedKey)]).toSorted()).toEqual(
          ['a', 'b', 'c'].map((id) => [id, 1, `key of ${id}`]),
        );
        expect(await keys.wrappedKeys(two.at(-1)!.id, 2)).toEqual([]);
      });
    });

    it('is whole when it is done: keys, buckets, names and the epoch', async () => {
      const given = await store.exclusively(async (keys) => {
        await keys.rewrap(['a', 'c'].map((id) => ({ id, epoch: 2, wrappedKey: Buffer.from(`new key of ${id}`) })));
        await keys.reseal({ ...bucket('b', 2), blob: Buffer.from('less of b'), wrappedKey: Buffer.from('its key') });
        await keys.forget(['subject/b1/s', 'nobody']);
        await keys.move(next);
        return 'what it gave';
      });
      await store.scrub();
      expect(given).toBe('what it gave');
      expect(await another.epoch()).toMatchObject({ epoch: 2 });
      const stored = await Promise.all(['a', 'b', 'c'].map(async (id) => (await another.bucket(id))!));
      expect(
        stored.map(({ sealedIn, epoch, blob, wrappedKey }) => [sealedIn, epoch, text(blob), text(wrappedKey)]),
      ).toEqual([
        [1, 2, 'blob of a', 'new key of a'],
        [2, 2, 'less of b', 'its key'],
        [1, 2, 'blob of c', 'new key of c'],
      ]);
      expect(await another.named(['subject/b1/s', 'bank/b1/secret'])).toEqual([undefined, 'a.0']);
      expect(await another.addBucket(bucket('d'))).toBe(false);
      expect(await another.nameKeys(1, new Map([['x', 'a.2']]))).toBeUndefined();
      expect(await another.addBucket(bucket('d', 2))).toBe(true);
    });

    it('leaves nothing when it fails half-way, and the store goes on', async () => {
      const failed = store.exclusively(async (keys) => {
        await keys.rewrap([{ id: 'a', epoch: 2, wrappedKey: Buffer.from('x') }]);
        await keys.forget(['bank/b1/secret']);
        await keys.move(next);
        throw new Error('killed');
      });
      await expect(failed).rejects.toThrow('killed');
      expect(await another.epoch()).toMatchObject({ epoch: 1 });
      expect(text((await store.bucket('a'))!.wrappedKey)).toBe('key of a');
      expect(await store.named(['bank/b1/secret'])).toEqual(['a.0']);
      expect(await store.addBucket(bucket('d'))).toBe(true);
    });

    it('buries banks for good: no key of theirs is named again, and none beside it', async () => {
      await store.exclusively(async (keys) => {
        await keys.forget(['bank/b1/secret', 'bank/b1/index', 'subject/b1/s']);
        await keys.bury(['b1', 'never used']);
        await keys.bury(['b1']);
      });
      for (const name of ['bank/b1/secret', 'subject/b1/s', 'subject/b1/new', 'bank/never used/index']) {
        const named = another.nameKeys(
          1,
          new Map([
            ['bank/b2/secret', 'c.1'],
            [name, 'c.0'],
          ]),
        );
        await expect(named, name).rejects.toMatchObject({ code: 'bank_erased' });
      }
      expect(await store.named(['bank/b1/secret', 'subject/b1/s', 'bank/b2/secret'])).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await another.nameKeys(1, new Map([['bank/b10/index', 'c.0']]))).toEqual(['c.0']);
      const listed = (await store.names(undefined, 100)).map(([name]) => name);
      expect(listed).toEqual(expect.arrayContaining([graveName('b1'), graveName('never used')]));
      // As whoever copies names does.
      expect(await store.nameKeys(1, new Map([[graveName('b1'), '']]))).toEqual(['']);
    });

    it('digs no grave when it fails half-way', async () => {
      const failed = store.exclusively(async (keys) => {
        await keys.bury(['b2']);
        throw new Error('killed');
      });
      await expect(failed).rejects.toThrow('killed');
      expect(await another.nameKeys(1, new Map([['bank/b2/secret', 'c.0']]))).toEqual(['c.0']);
    });

    it('refuses who waited to name a key until its bank was buried', async () => {
      let begun: () => void = () => {};
      const inside = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const burying = store.exclusively(async (keys) => {
        begun();
        await new Promise((resolve) => setTimeout(resolve, 100));
        await keys.bury(['b2']);
      });
      await inside;
      const naming = another.nameKeys(1, new Map([['bank/b2/secret', 'c.0']]));
      await expect(naming).rejects.toMatchObject({ code: 'bank_erased' });
      await burying;
    });

    it('lets nobody insert, or move, until it is done', async () => {
      const order: string[] = [];
      let begun: () => void = () => {};
      const inside = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const moving = store.exclusively(async (keys) => {
        begun();
        await new Promise((resolve) => setTimeout(resolve, 100));
        await keys.move(next);
        order.push('moved');
      });
      await inside;
      const others = [
        another.addBucket(bucket('d')).then((added) => order.push(`added ${added}`)),
        store.addBucket(bucket('e')).then((added) => order.push(`added ${added}`)),
        another.exclusively(async ({ epoch }) => order.push(`epoch ${epoch?.epoch}`)),
      ];
      await Promise.all([moving, ...others]);
      expect(order[0]).toBe('moved');
      expect(order.slice(1).toSorted()).toEqual(['added false', 'added false', 'epoch 2']);
    });
  });
}

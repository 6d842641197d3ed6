import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sources } from '#contract/sources.js';
import type { TokenStore } from './token-store.js';

/** What every token store does. `open` gives stores over one and the same, empty place until `clear` is called. */
export function tokenStoreContract(place: {
  open(sources: Sources): Promise<TokenStore>;
  clear(): Promise<void>;
}): void {
  let time: number;
  const sources: Sources = { now: () => time, uuid: randomUUID, random: randomBytes };
  let store: TokenStore;
  let another: TokenStore;

  beforeEach(async () => {
    time = Date.parse('2026-03-01T10:00:00.000Z');
    store = await place.open(sources);
    another = await place.open(sources);
  });
  afterEach(async () => {
    await Promise.all([store.close(), another.close()]);
    await place.clear();
  });

  const create = (name = 'ci', more = {}) => store.create({ name, bank: 'b1', roles: ['reader', 'writer'], ...more });

  describe('a token', () => {
    it('opens its bank with its roles, in every process', async () => {
      const { token, listed } = await create();
      expect(token).toMatch(/^hl_[A-Za-z0-9_-]{43}$/);
      expect(await another.authenticate(token)).toEqual({
        tokenId: listed.id,
        bank: 'b1',
        roles: ['reader', 'writer'],
        principal: 'token:ci',
      });
    });

    it.each(['', 'hl_', 'Bearer x', `hl_${'A'.repeat(43)}`, '\ud800', 'x'.repeat(100_000)])(
      'that was never given opens nothing: %#',
      async (text) => {
        await create();
        expect(await store.authenticate(text)).toBeUndefined();
      },
    );

    it('opens nothing once it is revoked, by id or by name', async () => {
      const one = await create('one');
      const two = await create('two');
      expect(await another.revoke(one.listed.id)).toMatchObject({ name: 'one', revoked: '2026-03-01T10:00:00.000Z' });
      await another.revoke('two');
      expect(await store.authenticate(one.token)).toBeUndefined();
      expect(await store.authenticate(two.token)).toBeUndefined();
    });

    it('keeps the time at which it was first revoked', async () => {
      const { listed } = await create();
      await store.revoke(listed.id);
      time += 60_000;
      expect(await store.revoke(listed.id)).toMatchObject({ revoked: '2026-03-01T10:00:00.000Z' });
    });

    it('opens nothing from the moment that it expires', async () => {
      const { token } = await create('ci', { expires: '2026-03-01T11:00:00.000Z' });
      time = Date.parse('2026-03-01T10:59:59.999Z');
      expect(await store.authenticate(token)).toBeDefined();
      time += 1;
      expect(await store.authenticate(token)).toBeUndefined();
    });
  });

  describe('creating', () => {
    it('refuses the name of a token in force, and gives it again once that is revoked', async () => {
      const first = await create();
      await expect(another.create({ name: 'ci', bank: 'b2', roles: ['reader'] })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await store.revoke('ci');
      const second = await create();
      expect(await store.authenticate(first.token)).toBeUndefined();
      expect(await store.authenticate(second.token)).toMatchObject({ tokenId: second.listed.id });
    });

    it.each([
      ['an empty name', { name: '  ' }, 'invalid_input'],
      ['a long name', { name: 'x'.repeat(65) }, 'invalid_input'],
      ['a name with a line feed', { name: 'a\nb' }, 'invalid_input'],
      ['no roles', { roles: [] }, 'invalid_input'],
      ['a time that is past', { expires: '2026-03-01T10:00:00.000Z' }, 'invalid_time'],
    ])('refuses %s', async (_what, wrong, code) => {
      await expect(create('ci', wrong)).rejects.toMatchObject({ code });
      expect(await store.list()).toEqual([]);
    });
  });

  describe('listing', () => {
    it('shows all or those of a bank, oldest first, with the day of last use and never the token', async () => {
      const { token } = await create('one');
      time += 1_000;
      await store.create({ name: 'two', bank: 'b2', roles: ['admin'], expires: '2027-01-01T00:00:00.000Z' });
      time += 24 * 3_600_000;
      await store.authenticate(token);
      const all = await another.list();
      expect(all.map(({ name }) => name)).toEqual(['one', 'two']);
      expect(all[0]).toMatchObject({ bank: 'b1', roles: ['reader', 'writer'], lastUsed: '2026-03-02' });
      expect(all[1]).toMatchObject({ expires: '2027-01-01T00:00:00.000Z' });
      expect(all[1]).not.toHaveProperty('lastUsed');
      expect(JSON.stringify(all)).not.toContain(token);
      expect((await store.list('b2')).map(({ name }) => name)).toEqual(['two']);
    });

    it('says so when what is to be revoked is not there', async () => {
      await expect(store.revoke('nobody')).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });

  describe('keeping the tokens of another store', () => {
    it('opens with them what they opened there, and twice is as once', async () => {
      const { token, listed } = await create();
      const kept = await store.kept();
      expect(kept.map(({ hash, ...rest }) => rest)).toEqual([listed]);
      expect(kept[0]!.hash).toHaveLength(32);
      const copy = { ...kept[0]!, id: 'copied', name: 'copied', hash: new Uint8Array(32).fill(7) };
      await another.keep([...kept, copy]);
      await another.keep([...kept, copy]);
      expect(await store.authenticate(token)).toMatchObject({ tokenId: listed.id });
      expect((await store.list()).map(({ name }) => name).toSorted()).toEqual(['ci', 'copied']);
    });

    it('takes a revocation over, and never takes one back', async () => {
      const { token } = await create();
      const [kept] = await store.kept();
      await store.keep([{ ...kept!, revoked: '2026-03-01T10:30:00.000Z' }]);
      expect(await another.authenticate(token)).toBeUndefined();
      await store.keep([kept!]);
      expect(await another.authenticate(token)).toBeUndefined();
      expect(await another.list()).toMatchObject([{ revoked: '2026-03-01T10:30:00.000Z' }]);
    });
  });
}

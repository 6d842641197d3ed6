import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openKeysDatabase } from '#sealing/postgres/open-keys-database.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { tokenStoreContract } from '../token-store.contract.js';
import { postgresTokenStore } from './postgres-token-store.js';

withEngine('postgres')('the token store in PostgreSQL', () => {
  let database: TestDatabase | undefined;
  tokenStoreContract({
    async open(sources) {
      database ??= await freshDatabase();
      return postgresTokenStore(await openKeysDatabase(database.url), sources);
    },
    async clear() {
      await database?.drop();
      database = undefined;
    },
  });

  it('gives a name once, however many ask for it at the same moment', async () => {
    const own = await freshDatabase();
    const sources = { now: Date.now, uuid: randomUUID, random: randomBytes };
    const stores = await Promise.all(
      Array.from({ length: 8 }, async () => postgresTokenStore(await openKeysDatabase(own.url), sources)),
    );
    const asked = await Promise.allSettled(
      stores.map((store) => store.create({ name: 'ci', bank: 'b1', roles: ['reader'] })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of asked)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'invalid_input' });
    expect(await stores[0]!.list()).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
    await own.drop();
  });
});

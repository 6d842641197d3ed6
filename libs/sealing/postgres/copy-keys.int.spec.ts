import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { heldMasterKey } from '#test/test-vault.js';
import { copyKeys } from '../copy-keys.js';
import { openVault } from '../open-vault.js';
import { openKeysDatabase as openFile } from '../sqlite/keys-database.js';
import { sqliteKeyStore } from '../sqlite/sqlite-key-store.js';
import { openKeysDatabase } from './open-keys-database.js';
import { postgresKeyStore } from './postgres-key-store.js';

withEngine('postgres')('copying keys', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(() => database.drop());

  it('copies keys from a file to PostgreSQL and back into another file', async () => {
    const sources = { random: randomBytes };
    const file = async () => ({
      keyStore: sqliteKeyStore(await openFile(':memory:')),
      masterKey: heldMasterKey(),
      sources,
    });
    const from = await file();
    const vault = await openVault(from);
    const secrets = await Promise.all(Array.from({ length: 500 }, () => vault.freshSecret()));
    const bank = await vault.bankKeys('b1');
    const server = {
      keyStore: postgresKeyStore(await openKeysDatabase(database.url, { ledger: 'aaaa' })),
      masterKey: heldMasterKey(),
      sources,
    };
    const back = await file();
    await copyKeys(from, server);
    await copyKeys(server, back);
    for (const copy of [await openVault(server), await openVault(back)]) {
      for (const { id, secret } of secrets) expect(Buffer.from((await copy.secret(id))!)).toEqual(Buffer.from(secret));
      expect(await copy.knownBankKeys('b1')).toEqual(bank);
    }
    for (const { keyStore } of [from, server, back]) await keyStore.close();
  });
});

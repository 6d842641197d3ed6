import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { keyStoreContract } from '../key-store.contract.js';
import { openKeysDatabase } from './open-keys-database.js';
import { postgresKeyStore } from './postgres-key-store.js';

withEngine('postgres')('the key store in PostgreSQL', () => {
  let database: TestDatabase | undefined;
  keyStoreContract({
    async open() {
      database ??= await freshDatabase();
      return postgresKeyStore(await openKeysDatabase(database.url));
    },
    async clear() {
      await database?.drop();
      database = undefined;
    },
  });
});

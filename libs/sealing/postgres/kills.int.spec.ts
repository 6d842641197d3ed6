import { join } from 'node:path';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { killsContract } from '../kills.contract.js';
import { anySources } from '../vault.contract.js';
import { openPostgresVault } from './open-postgres-vault.js';

withEngine('postgres')('keys in PostgreSQL', () => {
  let database: TestDatabase;
  killsContract({
    async prepare() {
      database = await freshDatabase();
      return database.url;
    },
    open: (folder) =>
      openPostgresVault({ url: database.url, masterKeyFile: join(folder, 'master.key') }, anySources, {
        ledger: 'aaaa',
        ledgerHasEvents: false,
      }),
    clear: () => database.drop(),
  });
});

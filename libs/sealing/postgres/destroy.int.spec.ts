import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { masterKeyFile } from '../master-key-file.js';
import { anySources, vaultContract } from '../vault.contract.js';
import { openKeysDatabase } from './open-keys-database.js';
import { openPostgresVault } from './open-postgres-vault.js';
import { postgresKeyStore } from './postgres-key-store.js';

withEngine('postgres')('keys in PostgreSQL', () => {
  let place: { folder: string; database: TestDatabase } | undefined;
  vaultContract({
    async open() {
      place ??= { folder: await mkdtemp(join(tmpdir(), 'hl-destroy-')), database: await freshDatabase() };
      const masterKeyFile = join(place.folder, 'master.key');
      const options = { ledger: 'aaaa', ledgerHasEvents: false };
      return openPostgresVault({ url: place.database.url, masterKeyFile }, anySources, options);
    },
    parts: async () => ({
      keyStore: postgresKeyStore(await openKeysDatabase(place!.database.url)),
      masterKey: masterKeyFile(join(place!.folder, 'master.key')),
    }),
    async clear() {
      await place?.database.drop();
      if (place) await rm(place.folder, { recursive: true });
      place = undefined;
    },
  });
});

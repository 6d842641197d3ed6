import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { masterKeyFile } from '../master-key-file.js';
import { anySources, vaultContract } from '../vault.contract.js';
import { openKeysDatabase } from './keys-database.js';
import { openFileVault } from './open-file-vault.js';
import { sqliteKeyStore } from './sqlite-key-store.js';

describe('keys in a home', () => {
  let home: string | undefined;
  vaultContract({
    async open() {
      home ??= await mkdtemp(join(tmpdir(), 'hl-destroy-'));
      const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
      return openFileVault(paths, anySources, { ledgerHasEvents: false });
    },
    parts: async () => ({
      keyStore: sqliteKeyStore(await openKeysDatabase(join(home!, 'keys.db'))),
      masterKey: masterKeyFile(join(home!, 'master.key')),
    }),
    async clear() {
      if (home) await rm(home, { recursive: true });
      home = undefined;
    },
  });
});

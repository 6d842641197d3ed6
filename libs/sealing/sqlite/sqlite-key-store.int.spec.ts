import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { keyStoreContract } from '../key-store.contract.js';
import { openKeysDatabase } from './keys-database.js';
import { sqliteKeyStore } from './sqlite-key-store.js';

describe('the key store in SQLite', () => {
  let folder: string | undefined;
  keyStoreContract({
    async open() {
      folder ??= await mkdtemp(join(tmpdir(), 'hl-keys-'));
      return sqliteKeyStore(await openKeysDatabase(join(folder, 'keys.db')));
    },
    async clear() {
      if (folder) await rm(folder, { recursive: true });
      folder = undefined;
    },
  });
});

import { join } from 'node:path';
import { describe } from 'vitest';
import { killsContract } from '../kills.contract.js';
import { anySources } from '../vault.contract.js';
import { openFileVault } from './open-file-vault.js';

describe('keys in a home', () => {
  killsContract({
    prepare: async () => '',
    open: (folder) =>
      openFileVault({ keysDb: join(folder, 'keys.db'), masterKeyFile: join(folder, 'master.key') }, anySources, {
        ledgerHasEvents: false,
      }),
    clear: async () => {},
  });
});

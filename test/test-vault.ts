import { randomBytes } from 'node:crypto';
import type { Keyring, MasterKey } from '#sealing/master-key.js';
import { openVault } from '#sealing/open-vault.js';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { sqliteKeyStore } from '#sealing/sqlite/sqlite-key-store.js';
import type { Vault } from '#sealing/vault.js';

/** A real vault that leaves nothing behind: its keys are in memory. */
export async function testVault(random: (bytes: number) => Uint8Array = randomBytes): Promise<Vault> {
  const keyStore = sqliteKeyStore(await openKeysDatabase(':memory:'));
  return openVault({ keyStore, masterKey: heldMasterKey(), sources: { random } });
}

/** A master key in memory, which a test may set or take away. */
export function heldMasterKey(): MasterKey & { kept: Keyring | undefined } {
  return {
    place: 'the test',
    kept: undefined,
    async read() {
      return this.kept;
    },
    async create(first) {
      this.kept ??= first;
      return this.kept;
    },
    async replace(keyring) {
      this.kept = keyring;
    },
  };
}

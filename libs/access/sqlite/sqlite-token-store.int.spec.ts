import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { tokenStoreContract } from '../token-store.contract.js';
import { sqliteTokenStore } from './sqlite-token-store.js';

describe('the token store in SQLite', () => {
  let folder: string | undefined;
  tokenStoreContract({
    async open(sources) {
      folder ??= await mkdtemp(join(tmpdir(), 'hl-tokens-'));
      return sqliteTokenStore(await openKeysDatabase(join(folder, 'keys.db')), sources);
    },
    async clear() {
      if (folder) await rm(folder, { recursive: true });
      folder = undefined;
    },
  });

  it('keeps no token in its file', async () => {
    const home = await mkdtemp(join(tmpdir(), 'hl-tokens-'));
    const sources = { now: Date.now, uuid: randomUUID, random: randomBytes };
    const store = sqliteTokenStore(await openKeysDatabase(join(home, 'keys.db')), sources);
    const { token } = await store.create({ name: 'ci', bank: 'b1', roles: ['reader'] });
    for (const name of await readdir(home)) {
      const bytes = await readFile(join(home, name));
      expect(bytes.includes(token)).toBe(false);
      expect(bytes.includes(Buffer.from(token.slice(3), 'base64url'))).toBe(false);
    }
    await store.close();
    await rm(home, { recursive: true });
  });
});

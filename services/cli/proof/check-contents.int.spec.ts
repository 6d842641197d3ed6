import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import { unwrapBucket, wrapBucket } from '#sealing/bucket.js';
import { masterKeyFile } from '#sealing/master-key-file.js';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { sqliteKeyStore } from '#sealing/sqlite/sqlite-key-store.js';
import { unlock } from '#sealing/unlock.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { plainLog } from '../embedded/plain-log.js';
import { systemSources } from '../embedded/system-sources.js';
import { contentsCheck } from './check-contents.js';
import { findingsOf } from './findings.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-contents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
let home: string;

/** Two processes, so two buckets of secrets; two memories in each. */
beforeEach(async () => {
  home = join(folder, `${++made}`);
  for (const process of ['one', 'two']) {
    const opened = await embedded();
    for (const each of [1, 2])
      await opened.commands.write({ content: `${process} wrote ${each}` }, opened.caller('memory_write'));
    await opened.close();
  }
});

function embedded() {
  const { config } = loadConfig({ flags: { home }, env: {} });
  return openEmbedded({ config, log: plainLog('silent', () => undefined) });
}

async function found() {
  const keys = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
  const vault = await openFileVault(keys, systemSources, { ledgerHasEvents: true });
  const ledger = await openSqliteLedger(join(home, 'ledger.db'));
  const contents = contentsCheck(vault);
  const verification = await verifyLedger(ledger, { alongside: contents.take });
  await ledger.close();
  await vault.close();
  return { contents: contents.found(), findings: findingsOf(verification, undefined, contents.found()) };
}

function inKeys(work: (db: InstanceType<typeof DatabaseSync>) => void): void {
  const db = new DatabaseSync(join(home, 'keys.db'));
  work(db);
  db.close();
}

describe('contents', () => {
  it('open, all of them, where nothing was changed', async () => {
    expect(await found()).toEqual({ contents: { opened: 5, gone: 0, faults: [] }, findings: [] });
  });

  it('do not open with keys whose rows were swapped between memories', async () => {
    inKeys((db) => {
      const rows = db.prepare('SELECT id, secrets FROM buckets').all() as { id: string; secrets: Uint8Array }[];
      const update = db.prepare('UPDATE buckets SET secrets = ? WHERE id = ?');
      for (const [index, { id }] of rows.entries()) update.run(rows[(index + 1) % rows.length]!.secrets, id);
    });
    await expect(embedded().then((opened) => opened.close())).rejects.toThrow(/Bucket .* is damaged/);
    const { contents, findings } = await found();
    expect(contents.opened).toBe(0);
    expect(findings).toHaveLength(5);
    expect(findings[0]).toMatchObject({
      by: 'content',
      message: expect.stringContaining('its key is damaged or stands elsewhere'),
    });
  });

  it('do not open with secrets that were swapped by somebody who has the master key', async () => {
    const keyStore = sqliteKeyStore(await openKeysDatabase(join(home, 'keys.db'), {}));
    const parts = { keyStore, masterKey: masterKeyFile(join(home, 'master.key')), sources: systemSources };
    const { epoch, wrappingKey } = await unlock(parts);
    const ledger = await openSqliteLedger(join(home, 'ledger.db'));
    const ids: string[] = [];
    for await (const { type, bytes } of ledger.readAll())
      if (type === 'MemoryRecorded')
        ids.push((JSON.parse(Buffer.from(bytes).toString('utf8')) as { box: { k: string } }).box.k);
    await ledger.close();
    const [one, other] = ids as [string, string];
    const [bucketId] = one.split('.') as [string];
    const bucket = unwrapBucket((await keyStore.bucket(bucketId))!, wrappingKey);
    const at = (id: string) => Number(id.split('.')[1]) * 32;
    const secrets = Uint8Array.from(bucket.secrets);
    secrets.set(bucket.secrets.subarray(at(other), at(other) + 32), at(one));
    secrets.set(bucket.secrets.subarray(at(one), at(one) + 32), at(other));
    const { blob, wrappedKey } = wrapBucket({ id: bucketId, secrets }, epoch, wrappingKey, systemSources);
    await keyStore.close();
    inKeys((db) => {
      db.prepare('UPDATE buckets SET secrets = ?, sealed_in = ? WHERE id = ?').run(blob, epoch, bucketId);
      db.prepare('UPDATE bucket_keys SET wrapped = ? WHERE bucket = ?').run(wrappedKey, bucketId);
    });
    const { contents, findings } = await found();
    expect(contents.opened).toBe(3);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('its content does not open with the key that it names'),
      expect.stringContaining('its content does not open with the key that it names'),
    ]);
  });

  it('are corrupt, not erased, where a key is gone and the ledger says nothing of an erasure', async () => {
    inKeys((db) => {
      const [, second] = db.prepare('SELECT id FROM buckets ORDER BY rowid').all() as { id: string }[];
      db.prepare('DELETE FROM buckets WHERE id = ?').run(second!.id);
    });
    const { contents, findings } = await found();
    expect(contents).toMatchObject({ opened: 3, gone: 0 });
    expect(findings).toHaveLength(2);
    expect(findings[0]!.message).toContain('nothing says that it was erased');
  });
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresEngine, startPostgres } from '#test/engines/postgres/start-postgres.js';
import { withOwnEngine } from '#test/engines/with-engine.js';
import type { Vault } from '../vault.js';
import { openPostgresVault } from './open-postgres-vault.js';

withOwnEngine('postgres')('keys in PostgreSQL', () => {
  let engine: PostgresEngine;
  let folder: string;
  beforeAll(async () => {
    engine = await startPostgres();
    folder = await mkdtemp(join(tmpdir(), 'hl-keys-outage-'));
  });
  afterAll(async () => {
    await engine.remove();
    await rm(folder, { recursive: true });
  });

  const open = (ledgerHasEvents = true) =>
    openPostgresVault(
      { url: engine.url, masterKeyFile: join(folder, 'master.key') },
      { random: randomBytes },
      { ledger: 'aaaa', ledgerHasEvents },
    );

  const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

  /** The longest that anybody is to wait: the patience, then one connection or answer that does not come. */
  const bound = 10_000;

  async function expectCachedOnly(vault: Vault, cached: { id: string; secret: Uint8Array }, uncached: string) {
    expect(await vault.secret(cached.id)).toEqual(cached.secret);
    expect(await vault.bankKeys('b1')).toBeDefined();
    expect(await vault.ledgerKey()).toBeDefined();
    expect(await vault.freshSecret()).toBeDefined();
    const began = Date.now();
    const asked = await Promise.allSettled([
      vault.secret(uncached),
      vault.bankKeys('unknown'),
      vault.knownBankKeys('unknown'),
      vault.subjectSecret('b1', 'unknown'),
      vault.serviceKey(),
      open(),
    ]);
    expect(Date.now() - began).toBeLessThan(bound);
    for (const each of asked)
      expect(each).toMatchObject({ status: 'rejected', reason: { name: 'HindsightError', code: 'keys_unreachable' } });
  }

  describe('while the database of the keys is away', () => {
    it.each(['stopped', 'killed', 'paused'] as const)(
      'cached keys go on serving, whatever needs another is refused by name within seconds, and it comes back by itself: %s',
      async (how) => {
        const other = await open(false);
        const uncached = await other.freshSecret();
        await other.close();
        const vault = await open();
        const spare = await open();
        const cached = await vault.freshSecret();
        await vault.bankKeys('b1');
        await vault.ledgerKey();

        if (how === 'stopped') await engine.stop();
        if (how === 'killed') await engine.kill();
        if (how === 'paused') engine.pause();
        await expectCachedOnly(vault, cached, uncached.id);
        const began = Date.now();
        await spare.close();
        expect(Date.now() - began).toBeLessThan(bound);
        if (how === 'paused') engine.resume();
        else await engine.start();

        expect(await vault.secret(uncached.id)).toEqual(uncached.secret);
        expect(await vault.bankKeys(`b-${how}`)).toBeDefined();
        await vault.close();
      },
    );

    it('a restart that takes no longer than the patience is not noticed', async () => {
      const vault = await open(false);
      await vault.freshSecret();
      await engine.kill();
      const asked = vault.bankKeys('b-restart');
      await engine.start();
      expect(await asked).toBeDefined();
      await vault.close();
    });

    it('every secret that was handed out is there after kills under load', async () => {
      const handedOut: { id: string; secret: Uint8Array }[] = [];
      let isOver = false;
      const users = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const vault = await open(false).catch(() => undefined);
          for (let made = 0; vault && made < 200 && !isOver; made++) {
            const fresh = await vault.freshSecret().catch(() => undefined);
            if (fresh) handedOut.push(fresh);
          }
          await vault?.close();
        }
      });
      for (let kill = 0; kill < 5; kill++) {
        const before = handedOut.length;
        await expect.poll(() => handedOut.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before + 300);
        await engine.kill();
        await engine.start();
      }
      isOver = true;
      await Promise.all(users);
      const vault = await open();
      for (const { id, secret } of handedOut) expect(hex(await vault.secret(id)), id).toBe(hex(secret));
      expect(handedOut.length).toBeGreaterThan(1_500);
      await vault.close();
    });
  });
});

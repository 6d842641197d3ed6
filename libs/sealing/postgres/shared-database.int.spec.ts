import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { openPostgresVault } from './open-postgres-vault.js';

let program: string;
let folder: string;
let database: TestDatabase;

withEngine('postgres')('keys in PostgreSQL', () => {
  beforeAll(async () => {
    program = await bundledProgram(new URL('../test-support/key-user.ts', import.meta.url));
  });
  afterAll(() => rm(program));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hl-shared-keys-'));
    database = await freshDatabase();
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  interface KeyUser {
    readonly process: ChildProcess;
    /** Whole lines that it printed, as [name, value]. */
    lines(): [string, string][];
  }

  async function keyUser(count: number): Promise<KeyUser> {
    const child = fork(program, [folder, String(count), database.url], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: [],
    });
    let printed = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await once(child, 'message');
    return {
      process: child,
      lines: () =>
        printed
          .split('\n')
          .slice(0, -1)
          .map((line) => line.split(' ') as [string, string]),
    };
  }

  async function expectAllFound(secrets: readonly (readonly [string, string])[]): Promise<void> {
    const places = { url: database.url, masterKeyFile: join(folder, 'master.key') };
    const vault = await openPostgresVault(places, { random: randomBytes }, { ledger: 'aaaa', ledgerHasEvents: true });
    for (const [id, value] of secrets)
      expect(Buffer.from((await vault.secret(id)) ?? []).toString('hex'), `secret ${id}`).toBe(value);
    await vault.close();
  }

  describe('a database of keys that processes share', () => {
    it('is made once by eight that start at the same moment, and each finds the keys of all', async () => {
      const users = await Promise.all(Array.from({ length: 8 }, () => keyUser(300)));
      const ends = users.map((user) => once(user.process, 'close'));
      for (const user of users) user.process.send('go');
      expect((await Promise.all(ends)).map(([code]) => code)).toEqual(Array(8).fill(0));

      const lines = users.flatMap((user) => user.lines());
      for (const shared of ['bank', 'ledger', 'subject']) {
        const values = lines.filter(([name]) => name === shared).map(([, value]) => value);
        expect(values).toHaveLength(8);
        expect(new Set(values).size, shared).toBe(1);
      }
      const secrets = lines.filter(([name]) => name.includes('.'));
      expect(secrets).toHaveLength(8 * 300);
      expect(new Set(secrets.map(([id]) => id)).size).toBe(8 * 300);
      expect(new Set(secrets.map(([, value]) => value)).size).toBe(8 * 300);
      await expectAllFound(secrets);
      expect(await readdir(folder)).toEqual(['master.key']);
    });

    it('keeps every secret that was handed out before a process was killed', async () => {
      const handedOut: [string, string][] = [];
      for (let kill = 0; kill < 10; kill++) {
        const users = await Promise.all([keyUser(0), keyUser(0)]);
        const ends = users.map((user) => once(user.process, 'close'));
        for (const user of users) user.process.send('go');
        // Short waits hit the making of the tables, then the growing batches, however slow the machine is.
        if (kill < 5) await sleep(kill * 40);
        else await expect.poll(() => users.every((user) => user.lines().length > 150), { timeout: 30_000 }).toBe(true);
        await sleep(Math.random() * 30);
        for (const user of users) user.process.kill('SIGKILL');
        await Promise.all(ends);
        const lines = users.flatMap((user) => user.lines());
        expect(lines.filter(([name]) => name === 'error')).toEqual([]);
        handedOut.push(...lines);
      }
      expect(handedOut.length).toBeGreaterThan(1_000);
      await expectAllFound(handedOut);
    });
  });
});

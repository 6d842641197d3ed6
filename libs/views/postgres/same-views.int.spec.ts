import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { createProjector, type Projector } from '#projector/create-projector.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { history } from '#projector/test-support/history.js';
import { digests, live } from '#projector/test-support/test-home.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import type { Vault } from '#sealing/vault.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { openSqliteViews } from '../sqlite/open-sqlite-views.js';
import type { Views } from '../views.js';
import { openPostgresViews } from './open-postgres-views.js';

const log = { info: () => undefined, warn: () => undefined };
const banks = ['b1', 'b2', 'b3', 'b4', 'b5'];
const shapes = allProjections;

/** A ledger of several banks, projected into SQLite and into PostgreSQL: no byte of the dumps may differ. */
describe.each([1, 4])('views of one history with %i partitions', (partitions) => {
  let home: string;
  let ledger: Ledger;
  let vault: Vault;
  let expected: Record<string, string>;
  const databases: TestDatabase[] = [];
  const closing: (() => Promise<void>)[] = [];

  const open = async (url: string): Promise<Views> => {
    const views = await openPostgresViews(url, { ledger: ledger.id, shapes, partitions, role: 'projector', log });
    closing.push(() => views.close());
    return views;
  };
  const fresh = async (): Promise<string> => {
    const database = await freshDatabase();
    databases.push(database);
    return database.url;
  };
  const projecting = (views: Views, batch: number): Projector =>
    createProjector({ ledger, views, vault, log }, { batch });

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'hl-same-views-'));
    ledger = await openSqliteLedger(join(home, 'ledger.db'));
    const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
    vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: false });
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await ledger.close();
    await vault.close();
    for (const database of databases) await database.drop();
    await rm(home, { recursive: true });
  });

  it('are the same bytes when the ledger is followed in batches of any size', async () => {
    const views = await open(await fresh());
    let following = true;
    const follow = async () => {
      for (let turn = 1; following; turn++) {
        const projector = projecting(views, 1 + ((turn * 37) % 61));
        await projector.catchUp({ everything: true });
        await projector.close();
      }
    };
    const followed = follow();
    await Promise.all(banks.map((bank, index) => live(history(ledger, vault, bank, `${bank}-`), 40 + 30 * index)));
    await history(ledger, vault, 'b1', 'odd-').write('odd', { session: 'a\x01b\\"{}\tc\r\n', task: 'NULL' });
    following = false;
    await followed;
    const projector = projecting(views, 50);
    await projector.catchUp({ everything: true });

    const reference = await openSqliteViews(join(home, 'views.db'), { ledger: ledger.id, shapes, log });
    closing.push(() => reference.close());
    await projecting(reference, 100).catchUp({ everything: true });
    expected = await digests({ views: reference });
    expect(Object.keys(expected)).toEqual([
      'findings',
      'keywords',
      'memories',
      'ratings',
      'recalls',
      'stats',
      'versions',
    ]);
    expect(await digests({ views })).toEqual(expected);

    const replayed = await projector.replay({ check: true });
    expect(replayed.status).toBe('switched');
    expect(replayed.projections.map(({ matches }) => matches)).toEqual(allProjections.map(() => true));
    expect(await digests({ views })).toEqual(expected);
  });

  it('are the same bytes when two projectors take turns', async () => {
    const url = await fresh();
    const [one, other] = [await open(url), await open(url)];
    await Promise.all([projecting(one, 17).catchUp({ everything: true }), projecting(other, 29).catchUp()]);
    expect(await digests({ views: one })).toEqual(expected);
  });

  it('are the same bytes when one of two processes is killed', async () => {
    const program = await bundledProgram(new URL('./testing/projecting-process.ts', import.meta.url));
    const start = async (url: string): Promise<ChildProcess> => {
      const child = fork(program, [home, url, String(partitions), '20'], { execArgv: [] });
      expect(await once(child, 'message')).toContain('ready');
      return child;
    };
    for (const wait of [60, 200]) {
      const url = await fresh();
      const [doomed, other] = [await start(url), await start(url)];
      const done = once(other, 'message');
      const gone = once(doomed, 'exit');
      doomed.send('go');
      other.send('go');
      await sleep(wait);
      doomed.kill('SIGKILL');
      await gone;
      expect((await done)[0]).toBe('done');
      other.kill('SIGKILL');
      const views = await open(url);
      await projecting(views, 100).catchUp({ everything: true });
      expect(await digests({ views })).toEqual(expected);
    }
    await rm(program);
  });
});

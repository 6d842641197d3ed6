import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import type { Vault } from '#sealing/vault.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { createProjector } from './create-projector.js';
import { allProjections } from './projections/all-projections.js';
import { type History, history } from './test-support/history.js';
import { digests, type TestHome, testHome } from './test-support/test-home.js';

const log = { info: () => undefined, warn: () => undefined };

describe('a replay while the first of a kind is written', () => {
  let home: TestHome;
  beforeEach(async () => {
    home = await testHome();
  });
  afterEach(() => home.remove());

  it('counts what was asked meanwhile on both sides', async () => {
    await home.events.createBank('a bank');
    for (let index = 0; index < 30; index++) await home.events.write(`m${index}`, {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    let asked: Promise<unknown> | undefined;
    const onProgress = (): void => {
      asked ??= home.events.recallServed();
    };
    const done = await station.projector.replay({ batch: 5, onProgress });
    await asked;
    expect(done.status).toBe('switched');
    expect((await station.projector.replay({ check: 'only' })).projections.every(({ matches }) => matches)).toBe(true);
  });

  it('takes an erasure of all that there was for no loss', async () => {
    await home.events.createBank('a bank');
    await home.events.write('m0', {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    let erased: Promise<unknown> | undefined;
    const onProgress = (): void => {
      erased ??= home.events.erase('m0');
    };
    expect((await station.projector.replay({ batch: 1, onProgress })).status).toBe('switched');
    await erased;
  });

  it('says so when the rebuilt one lacks what the one in use has', async () => {
    await home.events.createBank('a bank');
    for (let index = 0; index < 9; index++) await home.events.write(`m${index}`, {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const { views } = station;
    const countRows: typeof views.countRows = async (id) => {
      const found = await views.countRows(id);
      return id.generation > 1 && id.projection === 'versions' ? new Map([...found].map(([name]) => [name, 0])) : found;
    };
    const lossy = createProjector({ ledger: home.ledger, vault: home.vault, log, views: { ...views, countRows } });
    await expect(lossy.replay()).rejects.toThrow('The rebuilt generation of versions has no rows in ');
  });
});

describe('two replays at once, in processes of their own', () => {
  let program: string;
  let home: string;
  let ledger: Ledger;
  let vault: Vault;
  let events: History;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    program = await bundledProgram(new URL('./test-support/replaying-process.ts', import.meta.url));
  });
  afterAll(() => rm(program));
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'hl-replaying-'));
    ledger = await openSqliteLedger(join(home, 'ledger.db'));
    const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
    vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: false });
    events = history(ledger, vault, 'b1');
    await events.createBank('a bank');
    for (let index = 0; index < 300; index++) await events.write(`m${index}`, {});
    await withViews('views.db', async ({ projector }) => projector.catchUp({ everything: true }));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await ledger.close();
    await vault.close();
    await rm(home, { recursive: true });
  });

  async function start(...args: string[]): Promise<ChildProcess> {
    const child = fork(program, [home, ...args], { execArgv: [] });
    children.push(child);
    expect(await once(child, 'message')).toContain('ready');
    return child;
  }

  function ended(child: ChildProcess): Promise<string> {
    return new Promise((resolve) => {
      child.on('message', (said: string) => said !== 'building' && resolve(said));
      child.once('exit', (code) => resolve(`exit ${code}`));
    });
  }

  type Views = Awaited<ReturnType<typeof openSqliteViews>>;
  async function withViews<T>(
    file: string,
    work: (at: { views: Views; projector: ReturnType<typeof createProjector> }) => Promise<T>,
  ): Promise<T> {
    const views = await openSqliteViews(join(home, file), { ledger: ledger.id, shapes: allProjections, log });
    const projector = createProjector({ ledger, views, vault, log });
    try {
      return await work({ views, projector });
    } finally {
      await projector.close();
      await views.close();
    }
  }

  const digestsOf = (file: string) =>
    withViews(file, async ({ views, projector }) => {
      await projector.catchUp({ everything: true });
      return digests({ views });
    });

  /** Writes and asks until told to stop; what is asked is the first of its kind. */
  function beside(): () => Promise<void> {
    let goes = true;
    const work = (async () => {
      for (let index = 0; goes; index++) {
        await events.write(`beside${index}`, {});
        await events.recallServed();
        await withViews('views.db', async ({ projector }) => projector.catchUp({ everything: true }));
        await sleep(5);
      }
    })();
    return async () => {
      goes = false;
      await work;
    };
  }

  it.each([0, 40, 150])(
    'both come to their end, the second %i ms later, while somebody writes and asks',
    async (later) => {
      const [one, other] = [await start(), await start()];
      const answers = [ended(one), ended(other)];
      const stop = beside();
      one.send('go');
      await sleep(later);
      other.send('go');
      expect(await Promise.all(answers)).toEqual(['switched', 'switched']);
      await stop();
      expect(await digestsOf('views.db')).toEqual(await digestsOf('reference.db'));
    },
  );

  it.each([10, 60, 200])('the other one comes to its end when one is killed after %i ms', async (wait) => {
    const [one, other] = [await start(), await start()];
    const answer = ended(other);
    const building = once(one, 'message');
    const stop = beside();
    one.send('go');
    other.send('go');
    await building;
    await sleep(wait);
    one.kill('SIGKILL');
    expect(await answer).toBe('switched');
    await stop();
    expect(await digestsOf('views.db')).toEqual(await digestsOf('reference.db'));
  });

  it('a check beside a replay finds nothing wrong, and removes nothing that is in use', async () => {
    const [one, other] = [await start(), await start('check')];
    const answers = [ended(one), ended(other)];
    const stop = beside();
    one.send('go');
    other.send('go');
    expect(await Promise.all(answers)).toEqual(['switched', 'checked']);
    await stop();
    expect(await digestsOf('views.db')).toEqual(await digestsOf('reference.db'));
  });
});

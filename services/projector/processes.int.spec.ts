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
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import type { Vault } from '#sealing/vault.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { createProjector } from './create-projector.js';
import { allProjections } from './projections/all-projections.js';
import { history } from './test-support/history.js';
import { digests, live } from './test-support/test-home.js';

describe('several processes over one home', () => {
  let program: string;
  let home: string;
  let ledger: Ledger;
  let vault: Vault;
  let expected: Record<string, string>;
  const log = { info: () => undefined, warn: () => undefined };

  const start = async (): Promise<ChildProcess> => {
    const child = fork(program, [home, '5'], { execArgv: [] });
    expect(await once(child, 'message')).toContain('ready');
    return child;
  };
  const digestsOf = async (file: string): Promise<Record<string, string>> => {
    const views = await openSqliteViews(join(home, file), { ledger: ledger.id, shapes: allProjections, log });
    const projector = createProjector({ ledger, views, vault, log });
    await projector.catchUp({ everything: true });
    const found = await digests({ views });
    await projector.close();
    await views.close();
    return found;
  };
  const removeViews = () =>
    Promise.all(['', '-wal', '-shm'].map((suffix) => rm(join(home, `views.db${suffix}`), { force: true })));

  beforeAll(async () => {
    program = await bundledProgram(new URL('./test-support/projecting-process.ts', import.meta.url));
    home = await mkdtemp(join(tmpdir(), 'hl-projecting-'));
    ledger = await openSqliteLedger(join(home, 'ledger.db'));
    const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
    vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: false });
    await live(history(ledger, vault, 'b1'), 400);
    expected = await digestsOf('reference.db');
  });
  afterAll(async () => {
    await ledger.close();
    await vault.close();
    await rm(program);
    await rm(home, { recursive: true });
  });

  it('apply every event once, whichever of them is faster', async () => {
    const children = await Promise.all([start(), start()]);
    const answers = children.map((child) => once(child, 'message'));
    for (const child of children) child.send('go');
    expect((await Promise.all(answers)).map(([answer]) => answer)).toEqual(['done', 'done']);
    for (const child of children) child.kill('SIGKILL');
    expect(await digestsOf('views.db')).toEqual(expected);
    await removeViews();
  });

  it.each([15, 60, 140])('go on where one was killed after %i ms', async (wait) => {
    const child = await start();
    const gone = once(child, 'exit');
    child.send('go');
    await sleep(wait);
    child.kill('SIGKILL');
    await gone;
    expect(await digestsOf('views.db')).toEqual(expected);
    await removeViews();
  });
});

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import type { Vault } from '#sealing/vault.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import { packVector } from '#understanding/embeddings/scan/packed-vector.js';
import { vectorOf } from '#understanding/embeddings/test-support/fake-embedder.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { createProjector } from '../create-projector.js';
import { allProjections } from '../projections/all-projections.js';
import { history } from '../test-support/history.js';
import { openedVectors } from '../test-support/opened-vectors.js';

const docs = 200;

describe('several processes that embed', () => {
  let program: string;
  let home: string;
  let ledger: Ledger;
  let vault: Vault;
  let views: Views;
  const started: ChildProcess[] = [];
  const log = { info: () => undefined, warn: () => undefined };
  const space = passageSpace({ model: 'fa4e', dimensions: 32 });

  beforeEach(async () => {
    program = await bundledProgram(new URL('../test-support/embedding-process.ts', import.meta.url));
    home = await mkdtemp(join(tmpdir(), 'hl-embedding-'));
    ledger = await openSqliteLedger(join(home, 'ledger.db'));
    const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
    vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: false });
    const events = history(ledger, vault, 'b1');
    for (let at = 0; at < docs; at++) await events.write(`m${at}`, { content: `text ${at}`, session: 's1' });
    views = await openSqliteViews(join(home, 'views.db'), { ledger: ledger.id, shapes: allProjections, log });
    const projector = createProjector({ ledger, views, vault, log });
    await projector.catchUp();
    await projector.close();
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    await views.close();
    await ledger.close();
    await vault.close();
    await rm(program);
    await rm(home, { recursive: true });
  });

  const start = async (perText: number): Promise<ChildProcess> => {
    const child = fork(program, [home, String(perText)], { execArgv: [] });
    started.push(child);
    expect(await once(child, 'message')).toContain('ready');
    return child;
  };
  const embeddedBy = async (child: ChildProcess): Promise<number> => {
    const [{ embedded, error }] = (await once(child, 'message')) as [{ embedded: number; error?: string }];
    expect(error).toBeUndefined();
    return embedded;
  };
  const mark = async () => (await views.reader().vectorState('b1', space)).mark;
  /** All of them, each as it is to be. */
  const expectWhole = async (): Promise<void> => {
    expect(await views.reader().vectorState('b1', space)).toEqual({ mark: docs, changes: 0, blanked: 0 });
    const rows = await openedVectors(views.reader(), vault, 'b1', space);
    expect(rows.map(({ doc, packed }) => [doc, packed])).toEqual(
      Array.from({ length: docs }, (_, doc) => {
        const text = doc === 0 ? 'text 0' : `text ${doc - 1}\ntext ${doc}`;
        return [doc, Buffer.from(packVector(vectorOf(text, 32))).toString('hex')];
      }),
    );
  };

  it('leave it to one of them, and come to the end together', async () => {
    const children = [await start(2), await start(2), await start(2)];
    const done = children.map(embeddedBy);
    for (const child of children) child.send('go');
    const counts = await Promise.all(done);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(docs);
    expect(counts.filter((count) => count > 0)).toHaveLength(1);
    await expectWhole();
  });

  it('go on where one was killed, with nothing doubled and nothing left out', async () => {
    const victim = await start(5);
    victim.send('go');
    while ((await mark()) === 0) await sleep(5);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    const reached = await mark();
    expect(reached).toBeLessThan(docs);
    const rows = await views.reader().vectorsFrom('b1', space, 0, 10_000);
    expect(rows.map(({ doc }) => doc)).toEqual(Array.from({ length: reached }, (_, doc) => doc));
    const next = await start(0);
    const done = embeddedBy(next);
    next.send('go');
    expect(await done).toBe(docs - reached);
    await expectWhole();
  });
});

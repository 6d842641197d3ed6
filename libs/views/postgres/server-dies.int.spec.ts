import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { createProjector, type Projector } from '#projector/create-projector.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { digests, live, type TestHome, testHome } from '#projector/test-support/test-home.js';
import { type PostgresEngine, serverUser, startPostgres } from '#test/engines/postgres/start-postgres.js';
import { canMount, smallDisk } from '#test/engines/small-disk.js';
import { startTcpProxy } from '#test/engines/tcp-proxy.js';
import { withOwnEngine } from '#test/engines/with-engine.js';
import type { Views } from '../views.js';
import { openPostgresViews } from './open-postgres-views.js';

const log = { info: () => undefined, warn: () => undefined };

withOwnEngine('postgres')('views in a PostgreSQL of their own', () => {
  let home: TestHome;
  let postgres: PostgresEngine;
  let expected: Record<string, string>;
  let made = 0;
  const closing: (() => Promise<void>)[] = [];

  const run = async (statement: string, url = postgres.url): Promise<void> => {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const fresh = async (options = ''): Promise<string> => {
    const name = `views${++made}`;
    await run(`CREATE DATABASE ${name} ${options}`);
    return postgres.url.replace(/postgres$/, name);
  };
  const project = async (url: string, batch: number): Promise<{ views: Views; projector: Projector }> => {
    const { ledger, vault } = home;
    const views = await openPostgresViews(url, {
      ledger: ledger.id,
      shapes: allProjections,
      partitions: 4,
      role: 'projector',
      log,
    });
    closing.push(() => views.close());
    return { views, projector: createProjector({ ledger, views, vault, log }, { batch }) };
  };

  beforeAll(async () => {
    home = await testHome();
    await live(home.events, 300);
    const reference = await home.station({ file: 'reference.db' });
    await reference.projector.catchUp({ everything: true });
    expected = await digests(reference);
    postgres = await startPostgres();
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await postgres.remove();
    await home.remove();
  });

  it('come to the same bytes though the server is killed again and again', async () => {
    const { views, projector } = await project(await fresh(), 5);
    let killing = true;
    const kill = async () => {
      for (let turn = 0; turn < 4; turn++) {
        await sleep(100 + 70 * turn);
        await postgres.kill();
        await postgres.start();
      }
      killing = false;
    };
    const killed = kill();
    const codes = new Set<string>();
    for (let done = false; !done || killing; )
      await projector.catchUp({ everything: true }).then(
        () => {
          done = true;
          return sleep(20);
        },
        (error: unknown) => {
          codes.add(isHindsightError(error) ? error.code : String(error));
          return sleep(20);
        },
      );
    await killed;
    await projector.catchUp({ everything: true });
    expect(await digests({ views })).toEqual(expected);
    expect([...codes].filter((code) => code !== 'unreachable')).toEqual([]);
  });

  it('give up a server that does not answer, and go on when it does', async () => {
    const proxy = await startTcpProxy(postgres.url);
    const { views, projector } = await project(proxy.through(await fresh()), 50);
    proxy.blackHole();
    proxy.cut();
    await expect(projector.catchUp({ everything: true })).rejects.toSatisfy((error) =>
      isHindsightError(error, 'unreachable'),
    );
    await proxy.pass();
    await projector.catchUp({ everything: true });
    expect(await digests({ views })).toEqual(expected);
    closing.push(() => proxy.close());
  });

  it('that hang are given up by whoever asks a question, while its client still waits', async () => {
    const proxy = await startTcpProxy(postgres.url);
    const url = await fresh();
    await project(url, 50);
    const asking = await openPostgresViews(proxy.through(url), {
      ledger: home.ledger.id,
      shapes: allProjections,
      partitions: 4,
      role: 'query',
      log,
    });
    closing.push(
      () => asking.close(),
      () => proxy.close(),
    );
    proxy.blackHole();
    const began = performance.now();
    await expect(asking.stamp()).rejects.toSatisfy((error) => isHindsightError(error, 'unreachable'));
    // MCP's SDK waits for 60 s by default.
    expect(performance.now() - began).toBeLessThan(40_000);
    await proxy.pass();
    await expect(asking.stamp()).resolves.toEqual(expect.any(String));
  });

  describe.runIf(canMount)('on a small disk', () => {
    it('say that it is full, and come to the same bytes when there is room', async () => {
      const disk = smallDisk(64, serverUser());
      await run(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
      const url = await fresh('TABLESPACE small');
      const { views, projector } = await project(url, 40);
      await projector.catchUp({ everything: true });
      await home.events.write('m1', { content: 'before it was full' });
      disk.fill();
      const isFull = (error: unknown) => isHindsightError(error, 'disk_full');
      await expect(projector.replay()).rejects.toSatisfy(isFull);
      disk.makeRoom();
      const reference = await home.station({ file: 'reference.db' });
      await reference.projector.catchUp({ everything: true });
      expect((await projector.replay({ check: true })).projections.every(({ matches }) => matches)).toBe(true);
      expect(await digests({ views })).toEqual(await digests(reference));
      await views.close();
      closing.pop();
      await run(`DROP DATABASE ${url.split('/').at(-1)}`);
      await run('DROP TABLESPACE small');
      await disk.remove();
    });
  });
});

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { openDatabase } from '#sqlite/open-database.js';
import { canMount, smallDisk } from '#test/engines/small-disk.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { createProjector } from './create-projector.js';
import { allProjections } from './projections/all-projections.js';
import { shareOf } from './replay.js';
import { replayInto } from './replay-into.js';
import { digests, live, type TestHome, testHome } from './test-support/test-home.js';

const log = { info: () => undefined, warn: () => undefined };
let home: TestHome;
beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

async function inUse(station: Awaited<ReturnType<TestHome['station']>>): Promise<number[]> {
  return (await station.views.generations()).filter(({ active }) => active).map(({ generation }) => generation);
}

describe('a replay that only checks', () => {
  it('switches to nothing, leaves nothing, and finds nothing wrong with what is right', async () => {
    await live(home.events, 60);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const checked = await station.projector.replay({ check: 'only' });
    expect(checked.status).toBe('checked');
    expect(checked.projections.map(({ matches }) => matches)).toEqual(allProjections.map(() => true));
    expect(await inUse(station)).toEqual(allProjections.map(() => 1));
    expect(await station.views.generations()).toHaveLength(allProjections.length);
  });

  it.each([
    [`UPDATE memories_g1 SET kind = 'working' WHERE memory_id = 'm3'`, { memory_id: 'm3' }, ['kind'], true, true],
    [`DELETE FROM memories_g1 WHERE memory_id = 'm3'`, { memory_id: 'm3' }, [], false, true],
    [
      `INSERT INTO memories_g1 SELECT bank, 'm3x', status, version, kind, NULL, revision, seq, expires_at FROM memories_g1 WHERE memory_id = 'm3'`,
      { memory_id: 'm3x' },
      [],
      true,
      false,
    ],
  ])(
    'names the first row that differs, and says nothing of what it holds: %s',
    async (tamper, key, columns, there, made) => {
      await live(home.events, 60);
      const station = await home.station();
      await station.projector.catchUp({ everything: true });
      const db = openDatabase(home.viewsPath, { synchronous: 'NORMAL' });
      db.exec(tamper);
      db.close();
      const { projections } = await station.projector.replay({ check: 'only' });
      expect(projections.filter(({ matches }) => !matches).map(({ projection }) => projection)).toEqual(['memories']);
      const { difference } = projections.find(({ projection }) => projection === 'memories')!;
      expect(difference).toMatchObject({ table: 'memories', key: { bank: 'b1', ...key }, columns });
      expect([difference!.inUse !== undefined, difference!.rebuilt !== undefined]).toEqual([there, made]);
      expect(await inUse(station)).toEqual(allProjections.map(() => 1));
    },
  );
});

describe('a replay into a file of its own', () => {
  it('shows an earlier moment, as the views had it then', async () => {
    await live(home.events, 40);
    const early = await home.station({ file: 'early.db' });
    await early.projector.catchUp({ everything: true });
    const then = await digests(early);
    const to = (await home.ledger.head())!;
    await live(home.events, 40);
    const views = await openSqliteViews(join(home.folder, 'out.db'), {
      ledger: home.ledger.id,
      shapes: allProjections,
      log,
    });
    const deps = { ledger: home.ledger, vault: home.vault, views, log };
    const seen: (number | undefined)[] = [];
    const built = await replayInto(deps, allProjections, { to, onProgress: ({ share }) => seen.push(share) });
    expect(built).toMatchObject({ status: 'looked' });
    expect(Object.fromEntries(built.projections.map(({ projection, digest }) => [projection, digest]))).toEqual(then);
    expect(seen.at(-1)).toBe(1);
    await expect(replayInto(deps, allProjections, { to: '9'.repeat(16) })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await views.close();
  });

  it('tells how far it is', () => {
    expect(shareOf('0000000000000050', '0000000000000200')).toBe(0.25);
    expect(shareOf('0000000000000200', '0000000000000200')).toBe(1);
    expect(shareOf('a', 'b')).toBeUndefined();
    expect(shareOf('', '0000000000000200')).toBeUndefined();
  });
});

describe('what was in use before a replay', () => {
  it('stays until the next one, and goes with an erasure', async () => {
    await live(home.events, 30);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const generations = async () =>
      (await station.views.generations())
        .filter(({ projection }) => projection === 'versions')
        .map(({ generation, active, former }) => [generation, active, former ?? false]);
    await station.projector.replay();
    expect(await generations()).toEqual([
      [1, false, true],
      [2, true, false],
    ]);
    expect((await station.projector.replay()).events).toBeGreaterThan(30);
    expect(await generations()).toEqual([
      [2, false, true],
      [3, true, false],
    ]);
    await home.events.erase('m0');
    await station.projector.catchUp({ everything: true });
    expect(await generations()).toEqual([[3, true, false]]);
  });
});

describe('what an interrupted replay left', () => {
  it('goes with an erasure, and not while somebody builds it', async () => {
    await live(home.events, 60);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const cancel = new AbortController();
    const onProgress = () => cancel.abort();
    await station.projector.replay({ batch: 10, signal: cancel.signal, onProgress });
    expect(await station.views.generations()).toHaveLength(2 * allProjections.length);
    expect(await station.views.lease('replay', 'somebody', 10_000)).toBe(true);
    await home.events.erase('m0');
    await station.projector.catchUp();
    expect(await station.views.generations()).toHaveLength(2 * allProjections.length);
    await station.views.release('replay', 'somebody');
    await home.events.erase('m1');
    await station.projector.catchUp();
    expect(await station.views.generations()).toHaveLength(allProjections.length);
  });
});

describe('two processes that replay at once', () => {
  it('come to the same views, and each answers', async () => {
    await live(home.events, 400);
    const [one, other] = [await home.station(), await home.station()];
    await one.projector.catchUp({ everything: true });
    const before = await digests(one);
    const [first, second] = await Promise.all([one.projector.replay(), other.projector.replay()]);
    expect([first.status, second.status]).toEqual(['switched', 'switched']);
    expect(await digests(one)).toEqual(before);
    expect((await one.projector.replay({ check: 'only' })).projections.every(({ matches }) => matches)).toBe(true);
  });
});

describe('another version of the text pipeline', () => {
  it('is built in the background, while the former generation answers and takes in what is written', async () => {
    await live(home.events, 300);
    const before = await home.station();
    await before.projector.catchUp({ everything: true });
    await before.close();
    const renewed = allProjections.map((each) =>
      each.name === 'keywords' ? { ...each, version: each.version + 1 } : each,
    );
    const station = await home.station({ projections: renewed, batch: 20 });
    const versions = async () =>
      (await station.views.generations())
        .filter(({ projection }) => projection === 'keywords')
        .map(({ version, active }) => [version - allProjections[2]!.version, active]);
    await home.events.write('late', { content: 'written meanwhile' });
    await station.projector.catchUp();
    expect(await versions()).toEqual([[0, true]]);
    expect((await station.views.reader().docsFrom('b1', 0)).at(-1)).toMatchObject({ memoryId: 'late' });
    const stop = new AbortController();
    const background = station.projector.background(stop.signal);
    const until = Date.now() + 20_000;
    while ((await versions())[0]?.[0] === 0 && Date.now() < until) await sleep(20);
    stop.abort();
    await background;
    expect(await versions()).toEqual([[1, true]]);
    expect((await station.projector.replay({ check: 'only' })).projections.every(({ matches }) => matches)).toBe(true);
  });
});

describe('a replay where another version is to be built', () => {
  const renewed = allProjections.map((each) =>
    each.name === 'keywords' ? { ...each, version: each.version + 1 } : each,
  );

  it.each([['alone', false] as const, ['beside a process that builds it in the background', true] as const])(
    'goes over the ledger once: %s',
    async (_, isBeside) => {
      await live(home.events, 600);
      const before = await home.station();
      await before.projector.catchUp({ everything: true });
      await before.close();
      let events = 0;
      for await (const _event of home.ledger.readAll()) events++;
      const [station, other] = [
        await home.station({ projections: renewed, batch: 10 }),
        await home.station({ projections: renewed, batch: 10 }),
      ];
      const stop = new AbortController();
      const background = isBeside ? other.projector.background(stop.signal) : undefined;
      const built = async () =>
        (await station.views.generations()).filter(
          ({ version, projection }) => projection === 'keywords' && version > allProjections[2]!.version,
        );
      const until = Date.now() + 20_000;
      while (isBeside && !(await built())[0]?.position && Date.now() < until) await sleep(1);
      expect((await built()).some(({ active }) => active)).toBe(false);
      const replayed = await station.projector.replay({ batch: 10 });
      stop.abort();
      await background;
      expect(replayed.status).toBe('switched');
      expect(replayed.events).toBeLessThan(1.2 * events);
      // What the background had begun was gone on with, and nothing is left of a second one.
      expect(await built()).toMatchObject([{ active: true }]);
      expect((await station.projector.replay({ check: 'only' })).projections.every(({ matches }) => matches)).toBe(
        true,
      );
    },
  );

  it('that is cancelled leaves it to the background, which goes on at the next event', async () => {
    await live(home.events, 200);
    const before = await home.station();
    await before.projector.catchUp({ everything: true });
    await before.close();
    const [station, other] = [
      await home.station({ projections: renewed, batch: 10 }),
      await home.station({ projections: renewed, batch: 10 }),
    ];
    const isBuilt = async () =>
      (await station.views.generations()).some(
        ({ projection, version, active }) =>
          projection === 'keywords' && active && version > allProjections[2]!.version,
      );
    const stop = new AbortController();
    const cancel = new AbortController();
    let background: Promise<void> | undefined;
    let steps = 0;
    const onProgress = (): void => {
      background ??= other.projector.background(stop.signal);
      if (++steps === 10) cancel.abort();
    };
    expect(await station.projector.replay({ batch: 10, signal: cancel.signal, onProgress })).toMatchObject({
      status: 'cancelled',
    });
    expect(await isBuilt()).toBe(false);
    await home.events.write('late', { content: 'written afterwards' });
    await expect.poll(isBuilt, { timeout: 20_000 }).toBe(true);
    stop.abort();
    await background;
    expect((await station.projector.replay({ check: 'only' })).projections.every(({ matches }) => matches)).toBe(true);
  });
});

describe('a replay that ends between two commits', () => {
  it('leaves what is in use, and the next one goes on', async () => {
    await live(home.events, 200);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const before = await digests(station);
    for (let at = 1; at <= 6; at++) {
      let commits = 0;
      const commit: Views['commit'] = async (changes) => {
        if (++commits > at) throw new Error('killed');
        await station.views.commit(changes);
      };
      const views = { ...station.views, commit };
      const dying = createProjector({ ledger: home.ledger, vault: home.vault, log, views });
      await expect(dying.replay({ batch: 7 })).rejects.toThrow('killed');
      expect(await digests(station)).toEqual(before);
    }
    expect((await station.projector.replay({ check: true })).projections.every(({ matches }) => matches)).toBe(true);
    expect(await digests(station)).toEqual(before);
  });
});

describe.runIf(canMount)('a disk that is full in the middle of a replay', () => {
  it('ends it by name, leaves what is in use, and the replay goes on when there is room', async () => {
    await live(home.events, 400);
    const disk = smallDisk(16);
    const views = await openSqliteViews(join(disk.folder, 'views.db'), {
      ledger: home.ledger.id,
      shapes: allProjections,
      log,
    });
    try {
      const projector = createProjector({ ledger: home.ledger, vault: home.vault, views, log });
      await projector.catchUp({ everything: true });
      const before = await digests({ views });
      disk.fill();
      await expect(projector.replay()).rejects.toSatisfy((error) => isHindsightError(error, 'disk_full'));
      expect(await digests({ views })).toEqual(before);
      disk.makeRoom();
      expect((await projector.replay()).status).toBe('switched');
      expect(await digests({ views })).toEqual(before);
    } finally {
      await views.close();
      await disk.remove();
    }
  });
});

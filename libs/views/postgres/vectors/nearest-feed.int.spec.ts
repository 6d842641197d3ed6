import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbedding } from '#projector/embedding/create-embedding.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { openedVectors } from '#projector/test-support/opened-vectors.js';
import { type TestHome, testHome } from '#projector/test-support/test-home.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import type { Views } from '../../views.js';
import { type Connections, openConnections } from '../connections.js';
import { openPostgresViews } from '../open-postgres-views.js';
import { createStore } from '../store.js';
import { type PostgresStation, postgresStation } from '../testing/postgres-station.js';
import { createNearestIndex, type NearestIndex } from './nearest-index.js';
import { nearestNamesOf } from './nearest-space.js';
import { namesOf } from './vector-space.js';

/** What an operator chose: vectors also stand unsealed where pgvector searches them. */
describe('the nearest-vector search, fed', () => {
  const space = passageSpace({ model: 'fa4e', dimensions: 32 });
  const log = { info: () => undefined, warn: () => undefined };
  let home: TestHome;
  let station: PostgresStation;
  let connections: Connections;
  let search: NearestIndex;
  const opened: Views[] = [];

  beforeAll(async () => {
    home = await testHome();
    station = await postgresStation(home, { partitions: 1 });
    for (let at = 0; at < 12; at++) await home.events.write(`m${at}`, { content: `text ${at}`, session: 's1' });
    await station.projector.catchUp();
    connections = openConnections(station.login.url, { role: 'query', poolSize: 1, log });
    search = createNearestIndex(
      await createStore(connections, { ledger: home.ledger.id, partitions: 1, role: 'query', log }),
    );
  });
  afterAll(async () => {
    await connections.close();
    for (const each of opened) await each.close();
    await station.remove();
    await home.remove();
  });

  /** Another process of a projector. */
  const open = async (nearest: boolean): Promise<Views> => {
    const of = { ledger: home.ledger.id, shapes: allProjections, partitions: 1, log };
    const views = await openPostgresViews(station.database.url, { ...of, role: 'projector', poolSize: 2, nearest });
    opened.push(views);
    return views;
  };
  const embed = async (views: Views): Promise<number> => {
    const embedder = fakeEmbedder();
    await createEmbedding({ ledger: home.ledger, vault: home.vault, views, embedder, log }).untilDone();
    return embedder.asked.length;
  };
  const tables = async () =>
    (
      await connections.run<{ name: string }>({
        text: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'hindsight' AND tablename LIKE 'nearest%'`,
      })
    ).map(({ name }) => name);
  const found = async (text: string, k = 99) => {
    const [vector] = await fakeEmbedder().embed([text], 'passage');
    const near = await search.nearest('b1', space, vector!, k);
    return near.found.map(({ doc }) => doc);
  };
  const sealed = async (views: Views) =>
    (await openedVectors(views.reader(), home.vault, 'b1', space)).map(({ doc }) => doc);

  it('is not there unless it was chosen: no store is given a vector that is not sealed', async () => {
    expect(station.views.vectors.takesPacked).toBe(false);
    expect(await embed(station.views)).toBe(12);
    expect(await tables()).toEqual([]);
    const columns = await connections.run({
      text: `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position`,
      values: [namesOf(space).name],
    });
    expect(columns.map(({ name }) => name)).toEqual(['bank', 'doc', 'before', 'changed', 'sealed']);
    expect(await found('text 3')).toEqual([]);
  });

  it('holds all vectors once it was chosen, which are made anew for it', async () => {
    const views = await open(true);
    expect(await tables()).toEqual([nearestNamesOf(space).name]);
    expect(await embed(views)).toBe(12);
    expect((await found('text 2\ntext 3'))[0]).toBe(3);
    expect((await found('text 2\ntext 3')).sort((a, b) => a - b)).toEqual(await sealed(views));
    expect(await embed(await open(true))).toBe(0);
  });

  it('loses the rows of what is erased and of whose window held it, whichever process projects that', async () => {
    await home.events.erase('m5');
    await home.vault.destroy({ secrets: home.events.secretsOf('m5'), subjects: [], banks: [] });
    await station.projector.catchUp();
    expect((await found('text 5')).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 7, 8, 9, 10, 11]);
    const views = opened.at(-1)!;
    expect(await embed(views)).toBe(1);
    expect((await found('text 6'))[0]).toBe(6);
    expect((await found('text 6')).sort((a, b) => a - b)).toEqual(await sealed(views));
  });

  it('refuses what the sealed ones refuse, and keeps nothing of it', async () => {
    const views = opened.at(-1)!;
    const { mark, changes } = await views.reader().vectorState('b1', space);
    const rows = [{ doc: 3, sealed: randomBytes(60), packed: randomBytes(36) }];
    const late = { from: { mark, changes: changes - 1 }, rows, mark };
    const before = await found('text 2\ntext 3', 1);
    await expect(views.vectors.put('b1', space, late)).rejects.toMatchObject({ code: 'checkpoint_moved' });
    expect(await found('text 2\ntext 3', 1)).toEqual(before);
  });

  it('loses all of a bank that ends, and goes with its files where it is no longer chosen, or its space is removed', async () => {
    const views = await open(true);
    const other = passageSpace({ model: 'other', dimensions: 32 });
    await views.vectors.make(other);
    expect(await tables()).toHaveLength(2);
    await views.vectors.drop(other);
    expect(await tables()).toHaveLength(1);
    await home.events.eraseBank();
    await station.projector.catchUp();
    expect(await found('text 1')).toEqual([]);
    await open(false);
    expect(await tables()).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { allProjections } from '#projector/projections/all-projections.js';
import { history } from '#projector/test-support/history.js';
import { type TestHome, testHome } from '#projector/test-support/test-home.js';
import { type Connections, openConnections } from '../connections.js';
import { createStore, type PostgresStore } from '../store.js';
import { type PostgresStation, postgresStation } from '../testing/postgres-station.js';
import { createPostgresReader } from './create-postgres-reader.js';

const log = { info: () => undefined, warn: () => undefined };
let home: TestHome;
let station: PostgresStation;
let connections: Connections;
let store: PostgresStore;

beforeAll(async () => {
  home = await testHome();
  const events = history(home.ledger, home.vault, 'b1', 'b1-');
  await events.createBank('a bank');
  await events.write('m1', { content: 'a text' });
  station = await postgresStation(home);
  await station.projector.catchUp();
  connections = openConnections(station.login.url, { role: 'query', poolSize: 2, log });
  store = await createStore(connections, { ledger: home.ledger.id, partitions: 4, role: 'query', log });
});
afterAll(async () => {
  await connections.close();
  await station.remove();
  await home.remove();
});

/** One whose store is changed by `change` each time that it has looked how that stands. */
function readerBesideChanges(change: (look: number) => Promise<void>) {
  let looks = 0;
  const watched: PostgresStore = Object.create(store, {
    refresh: {
      value: async () => {
        const known = await store.refresh();
        await change(++looks);
        return known;
      },
    },
  });
  return { reader: createPostgresReader(watched), looks: () => looks };
}

/** As a replay makes and drops generations of one projection after another. */
async function makeAndDrop(): Promise<void> {
  await station.views.drop([await station.views.startGeneration(allProjections[0]!)]);
}

it('a read comes to its end though something is changed in each of its first tries', async () => {
  await makeAndDrop();
  const { reader, looks } = readerBesideChanges(async (look) => {
    if (look < 6) await makeAndDrop();
  });
  expect((await reader.docsFrom('b1', 0)).map(({ memoryId }) => memoryId)).toEqual(['m1']);
  expect(looks()).toBe(6);
});

it('a read of what is not there, where nothing changes, is given up after three tries', async () => {
  await station.views.drop((await station.views.generations()).filter(({ projection }) => projection === 'keywords'));
  await store.refresh();
  const { reader, looks } = readerBesideChanges(async () => undefined);
  await expect(reader.docsFrom('b1', 0)).rejects.toMatchObject({ code: 'checkpoint_moved' });
  expect(looks()).toBe(3);
});

import { afterAll } from 'vitest';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { contractShapes, viewsContract } from '../views.contract.js';
import { openPostgresViews } from './open-postgres-views.js';

const log = { info: () => undefined, warn: () => undefined };
const databases: TestDatabase[] = [];

const open = () =>
  openPostgresViews(databases.at(-1)!.url, {
    ledger: 'l1',
    shapes: contractShapes,
    partitions: 1,
    role: 'projector',
    log,
  });

viewsContract('postgres', {
  async open() {
    databases.push(await freshDatabase());
    return open();
  },
  openAgain: open,
});

afterAll(() => Promise.all(databases.map((database) => database.drop())));

import { afterAll } from 'vitest';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { allProjections } from '../../projections/all-projections.js';
import { randomLives } from '../random-lives.contract.js';

const log = { info: () => undefined, warn: () => undefined };
const databases: TestDatabase[] = [];
const partitions = 3;

randomLives('PostgreSQL', {
  partitions,
  runs: 6,
  async store({ ledger }) {
    const database = await freshDatabase();
    databases.push(database);
    return () =>
      openPostgresViews(database.url, {
        ledger: ledger.id,
        shapes: allProjections,
        partitions,
        role: 'projector',
        log,
        poolSize: 4,
      });
  },
});

afterAll(() => Promise.all(databases.map((database) => database.drop())));

import { afterEach, describe } from 'vitest';
import { allProjections } from '#projector/projections/all-projections.js';
import { purgedIsRebuilt } from '#projector/test-support/erased-histories.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { openPostgresViews } from './open-postgres-views.js';

const log = { info: () => undefined, warn: () => undefined };

describe.each([1, 4])('random histories with erasures, in PostgreSQL with %i partitions', (partitions) => {
  const databases: TestDatabase[] = [];
  afterEach(async () => {
    for (const database of databases) await database.drop();
  });

  purgedIsRebuilt(async (home) => {
    const database = await freshDatabase();
    databases.push(database);
    return openPostgresViews(database.url, {
      ledger: home.ledger.id,
      shapes: allProjections,
      partitions,
      role: 'projector',
      log,
    });
  }, 12);
});

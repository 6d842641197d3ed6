import { afterAll } from 'vitest';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { partitionedShapes, partitionedViewsContract } from '../partitioned-views.contract.js';
import { vectorShapes, vectorsContract } from '../vectors.contract.js';
import { contractShapes, type ViewsHarness, viewsContract } from '../views.contract.js';
import type { ProjectionShape } from '../views.js';
import { openPostgresViews } from './open-postgres-views.js';

const log = { info: () => undefined, warn: () => undefined };
const databases: TestDatabase[] = [];

function harness(partitions: number, shapes: readonly ProjectionShape[]): ViewsHarness {
  const open = () =>
    openPostgresViews(databases.at(-1)!.url, { ledger: 'l1', shapes, partitions, role: 'projector', log });
  return {
    async open() {
      databases.push(await freshDatabase());
      return open();
    },
    openAgain: open,
  };
}

viewsContract('postgres', harness(1, contractShapes));
partitionedViewsContract('postgres', harness(4, partitionedShapes));
vectorsContract('postgres', harness(1, vectorShapes));

afterAll(() => Promise.all(databases.map((database) => database.drop())));

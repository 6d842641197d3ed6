import { join } from 'node:path';
import { describe } from 'vitest';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { allProjections } from './projections/all-projections.js';
import { purgedIsRebuilt } from './test-support/erased-histories.js';

const log = { info: () => undefined, warn: () => undefined };

describe('random histories with erasures, in sqlite', () => {
  purgedIsRebuilt(
    (home, name) =>
      openSqliteViews(join(home.folder, `${name}.db`), { ledger: home.ledger.id, shapes: allProjections, log }),
    60,
  );
});

import { join } from 'node:path';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { allProjections } from '../projections/all-projections.js';
import { randomLives } from './random-lives.contract.js';

const log = { info: () => undefined, warn: () => undefined };

randomLives('sqlite', {
  partitions: 1,
  runs: 8,
  store:
    async ({ folder, ledger }) =>
    () =>
      openSqliteViews(join(folder, 'fed.db'), { ledger: ledger.id, shapes: allProjections, log }),
});

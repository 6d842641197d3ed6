import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vectorShapes, vectorsContract } from '../vectors.contract.js';
import { contractShapes, viewsContract } from '../views.contract.js';
import type { ProjectionShape } from '../views.js';
import { openSqliteViews } from './open-sqlite-views.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-views-'));
const log = { info: () => undefined, warn: () => undefined };
let opened = 0;

const harness = (shapes: readonly ProjectionShape[]) => {
  const open = () => openSqliteViews(join(folder, `${opened}.db`), { ledger: 'l1', shapes, log });
  return {
    open: () => {
      opened++;
      return open();
    },
    openAgain: open,
  };
};

viewsContract('sqlite', harness(contractShapes));
vectorsContract('sqlite', harness(vectorShapes), 100);

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractShapes, viewsContract } from '../views.contract.js';
import { openSqliteViews } from './open-sqlite-views.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-views-'));
const log = { info: () => undefined, warn: () => undefined };
let opened = 0;

const open = () => openSqliteViews(join(folder, `${opened}.db`), { ledger: 'l1', shapes: contractShapes, log });

viewsContract('sqlite', {
  open: () => {
    opened++;
    return open();
  },
  openAgain: open,
});

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerContract } from '../ledger.contract.js';
import { openSqliteLedger } from './sqlite-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-ledger-'));
let opened = 0;

ledgerContract('sqlite', {
  open: () => openSqliteLedger(join(folder, `${++opened}.db`)),
  openAgain: () => openSqliteLedger(join(folder, `${opened}.db`)),
});

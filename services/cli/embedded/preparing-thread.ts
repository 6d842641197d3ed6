import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import type { Preparation } from '#projector/preparing/preparing.js';
import { servePreparing } from '#projector/preparing/serve-preparing.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { emptyingLog } from '#sqlite/emptying-log.js';
import type { OpensHome } from './home-preparing.js';
import { systemSources } from './system-sources.js';

/** The thread that prepares the events of a rebuild: it reads the ledger and the keys of a home, and changes nothing that they or the views say. */
const port = parentPort!;
const { opens, preparation } = workerData as { opens: OpensHome; preparation: Preparation };
const ledger = await openSqliteLedger(opens.ledger, { readOnly: true });
const vault = await openFileVault(opens, systemSources, {
  ledgerHasEvents: true,
  ledger: ledger.id,
  readOnly: true,
});
const whileAhead = opens.views === undefined ? {} : { whileAhead: emptyingLog(opens.views) };
servePreparing(port, { ledger, vault, ...whileAhead }, preparation);
port.postMessage('ready');

import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import type { Preparation } from '#projector/preparing/preparing.js';
import { servePreparing } from '#projector/preparing/serve-preparing.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import type { OpensHome } from './home-preparing.js';
import { systemSources } from './system-sources.js';

/** The thread that prepares the events of a rebuild: it reads the ledger and the keys of a home, and writes nothing. */
const port = parentPort!;
const { opens, preparation } = workerData as { opens: OpensHome; preparation: Preparation };
const ledger = await openSqliteLedger(opens.ledger, { readOnly: true });
const vault = await openFileVault(opens, systemSources, {
  ledgerHasEvents: true,
  ledger: ledger.id,
  readOnly: true,
});
servePreparing(port, { ledger, vault }, preparation);
port.postMessage('ready');

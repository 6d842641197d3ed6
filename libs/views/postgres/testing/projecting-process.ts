import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { createProjector } from '#projector/create-projector.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { openPostgresViews } from '../open-postgres-views.js';

/** `projecting-process HOME URL PARTITIONS BATCH`: catches up with the ledger of a home, says `done`, and waits to be ended. */
const [home = '', url = '', partitions = '1', batch = '10'] = process.argv.slice(2);

const log = { info: () => undefined, warn: () => undefined };
const ledger = await openSqliteLedger(join(home, 'ledger.db'));
const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
const vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: true });
const views = await openPostgresViews(url, {
  ledger: ledger.id,
  shapes: allProjections,
  partitions: Number(partitions),
  role: 'projector',
  log,
});
const projector = createProjector({ ledger, views, vault, log }, { batch: Number(batch) });
process.once('message', () => {
  projector.catchUp({ everything: true }).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.('ready');

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { createProjector } from '../create-projector.js';
import { allProjections } from '../projections/all-projections.js';

/** `projecting-process HOME BATCH`: catches up with the ledger of a home, says `done`, and waits to be ended. */
const [home = '', batch = '10'] = process.argv.slice(2);

const log = { info: () => undefined, warn: () => undefined };
const ledger = await openSqliteLedger(join(home, 'ledger.db'));
const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
const vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: true });
const views = await openSqliteViews(join(home, 'views.db'), { ledger: ledger.id, shapes: allProjections, log });
const projector = createProjector({ ledger, views, vault, log }, { batch: Number(batch) });
process.once('message', () => {
  projector.catchUp({ everything: true }).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.('ready');

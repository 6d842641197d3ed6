import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { createProjector } from '../create-projector.js';
import { allProjections } from '../projections/all-projections.js';

/** `replaying-process HOME [check]`: replays the views of a home when told to, says how it ended, and waits to be ended. */
const [home = '', check] = process.argv.slice(2);

const log = { info: () => undefined, warn: () => undefined };
const ledger = await openSqliteLedger(join(home, 'ledger.db'));
const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
const vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: true });
const views = await openSqliteViews(join(home, 'views.db'), { ledger: ledger.id, shapes: allProjections, log });
const projector = createProjector({ ledger, views, vault, log });
process.once('message', () => {
  let said = false;
  const onProgress = (): void => {
    if (!said) process.send?.('building');
    said = true;
  };
  projector.replay({ batch: 5, onProgress, check: check === 'check' ? 'only' : false }).then(
    ({ status, projections }) =>
      process.send?.(projections.some(({ matches }) => matches === false) ? `${status}, differs` : status),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.('ready');

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { createEmbedding } from '../embedding/create-embedding.js';
import { allProjections } from '../projections/all-projections.js';

/** `embedding-process HOME MILLISECONDS`: embeds what is in the views of a home, so many milliseconds a text; says what it embedded. */
const [home = '', perText = '0'] = process.argv.slice(2);

const log = { info: () => undefined, warn: () => undefined };
const ledger = await openSqliteLedger(join(home, 'ledger.db'));
const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
const vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: true });
const views = await openSqliteViews(join(home, 'views.db'), { ledger: ledger.id, shapes: allProjections, log });
const embedder = fakeEmbedder({ perText: Number(perText) });
const embedding = createEmbedding({ ledger, vault, views, embedder, log });
process.once('message', () => {
  embedding.untilDone().then(
    () => process.send?.({ embedded: embedder.asked.length }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.send?.('ready');

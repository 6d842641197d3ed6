import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { createFedProjector } from '../fed/create-fed-projector.js';
import { openKafkaFeed } from '../feed/kafka/kafka-feed.js';
import { allProjections } from '../projections/all-projections.js';

/**
 * A projector on Kafka over PostgreSQL until it is killed, or told to end by SIGTERM; each line of its log goes to stdout.
 * Arguments: a home with a ledger and keys, the views' URL, the broker, partitions.
 */
const [home = '', url = '', broker = '', count = '1'] = process.argv.slice(2);

const say = (fields: object, sentence: string) => process.stdout.write(`${JSON.stringify({ ...fields, sentence })}\n`);
const log = { info: say, warn: say };
const partitions = Number(count);
const ledger = await openSqliteLedger(join(home, 'ledger.db'));
const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
const vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: true });
const views = await openPostgresViews(url, {
  ledger: ledger.id,
  shapes: allProjections,
  partitions,
  role: 'projector',
  log,
});
const feed = openKafkaFeed({ brokers: [broker], ledger: ledger.id, partitions, log, sessionTimeout: 6_000 });
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
await createFedProjector({ ledger, views, vault, feed, log }).run(stopping.signal);
await feed.close();
await views.close();
say({}, 'ended');
process.exit(0);

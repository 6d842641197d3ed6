import { openEventStorePlace } from '../eventstoredb/eventstore-place.js';
import { migrateLedger } from '../migrate-ledger.js';
import type { Place, PlaceName } from '../place.js';
import { openSqlitePlace } from '../sqlite/sqlite-place.js';

/** `migrating-process FROM TO TRUST`: moves a ledger; each end is a file or a connection string. Says `begun`, then prints what came of it. */
const [from = '', to = '', trust = '500'] = process.argv.slice(2);

function opened(address: string, coming?: { ledger: string; from: PlaceName }): Promise<Place> {
  return address.startsWith('esdb')
    ? openEventStorePlace(address, { coming, trust: Number(trust) })
    : openSqlitePlace(address, { shown: address, coming });
}

process.send?.('begun');
try {
  const source = await opened(from);
  const target = await opened(to, { ledger: source.ledger.id, from: source.name });
  console.log(JSON.stringify(await migrateLedger(source, target)));
  await source.leave();
  await target.leave();
  process.exit(0);
} catch (error) {
  console.log(String(error));
  process.exit(1);
}

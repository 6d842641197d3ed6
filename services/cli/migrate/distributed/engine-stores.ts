import { postgresTokenStore } from '#access/postgres/postgres-token-store.js';
import { openEventStorePlace } from '#ledger/eventstoredb/eventstore-place.js';
import type { PlaceName } from '#ledger/place.js';
import { masterKeyFile } from '#sealing/master-key-file.js';
import { type KeysDatabaseOptions, openKeysDatabase } from '#sealing/postgres/open-keys-database.js';
import { postgresKeyStore } from '#sealing/postgres/postgres-key-store.js';
import { systemSources } from '../../embedded/system-sources.js';
import { openedTogether, type Stores } from '../stores.js';

export interface EngineAddresses {
  readonly eventstoreUrl: string;
  readonly keysUrl: string;
  /** Of the views, which the keys may not stand beside. */
  readonly postgresUrl: string | undefined;
  readonly masterKeyFile: string;
}

/** EventStoreDB and the database of its keys; the ledger leaves, or arrives with `coming`. */
export function openEngineStores(
  addresses: EngineAddresses,
  options: {
    readonly coming?: { ledger: string; from: PlaceName };
    readonly warn: (sentence: string) => void;
    /** As the ledger's own (eventstoredb-ledger.ts). */
    readonly trust?: number;
  },
): Promise<Stores> {
  const { coming, warn, trust } = options;
  return openedTogether(async (opened) => {
    const place = await openEventStorePlace(addresses.eventstoreUrl, { coming, trust });
    opened({ close: () => place.leave() });
    const database: KeysDatabaseOptions = {
      ledger: place.ledger.id,
      ledgerHasEvents: !coming && (await place.ledger.head()) !== undefined,
      viewsUrl: addresses.postgresUrl,
    };
    const keyStore = opened(postgresKeyStore(await openKeysDatabase(addresses.keysUrl, { ...database, warn })));
    const tokens = opened(postgresTokenStore(await openKeysDatabase(addresses.keysUrl, database), systemSources));
    return {
      place,
      keys: { keyStore, masterKey: masterKeyFile(addresses.masterKeyFile), sources: systemSources },
      tokens,
    };
  });
}

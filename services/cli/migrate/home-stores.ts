import { existsSync } from 'node:fs';
import { sqliteTokenStore } from '#access/sqlite/sqlite-token-store.js';
import { homePaths, prepareHome } from '#config/home.js';
import { HindsightError } from '#contract/errors.js';
import type { PlaceName } from '#ledger/place.js';
import { gapsIn } from '#ledger/sqlite/gaps.js';
import { openSqlitePlace } from '#ledger/sqlite/sqlite-place.js';
import { masterKeyFile } from '#sealing/master-key-file.js';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { sqliteKeyStore } from '#sealing/sqlite/sqlite-key-store.js';
import { systemSources } from '../embedded/system-sources.js';
import { openedTogether, type Stores } from './stores.js';

/** The files of a home, whose ledger leaves or, with `coming`, arrives. */
export function openHomeStores(
  home: string,
  masterKey: string,
  coming?: { ledger: string; from: PlaceName },
): Promise<Stores> {
  const paths = coming ? prepareHome(home) : homePaths(home);
  return openedTogether(async (opened) => {
    const place = await openSqlitePlace(paths.ledger, { shown: paths.ledger, ...(coming && { coming }) });
    opened({ close: () => place.leave() });
    if (!coming && (await place.ledger.head()) !== undefined && !existsSync(paths.keys))
      throw new HindsightError(
        'keys_missing',
        `${paths.keys} is not there, but the ledger has events that need its keys.`,
        {
          file: paths.keys,
        },
      );
    const open = () => openKeysDatabase(paths.keys, { ledger: place.ledger.id });
    const keyStore = opened(sqliteKeyStore(await open()));
    const tokens = opened(sqliteTokenStore(await open(), systemSources));
    return {
      place,
      keys: { keyStore, masterKey: masterKeyFile(masterKey), sources: systemSources },
      tokens,
      gapBetween: gapsIn(paths.ledger),
    };
  });
}

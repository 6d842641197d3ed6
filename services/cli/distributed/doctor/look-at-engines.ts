import { requireSettings } from '#config/require-settings.js';
import type { Config } from '#config/settings.js';
import { isHindsightError } from '#contract/errors.js';
import { type Looked, wrong } from '../../doctor/finding.js';
import type { Log } from '../../embedded/plain-log.js';
import { checkFeed } from './check-feed.js';
import { checkHot } from './check-hot.js';
import { checkIngest } from './check-ingest.js';
import { checkKeys } from './check-keys.js';
import { checkLedger } from './check-ledger.js';
import { checkViewsStore } from './check-views.js';

/** Each engine of the distributed profile, and what belongs to the ledger in it; and the ingest services. */
export async function* lookAtEngines(config: Config, log: Log): AsyncGenerator<Looked> {
  try {
    requireSettings(config, ['eventstoreUrl', 'keysUrl', 'postgresUrl', 'kafkaBrokers'], 'The distributed profile');
  } catch (error) {
    if (!isHindsightError(error)) throw error;
    yield wrong('settings', error.message, error.hint);
    return;
  }
  yield await checkHot(config.redisUrl);
  const { looked, ledger } = await checkLedger(config);
  yield looked;
  // What else there is, belongs to a ledger.
  if (!ledger) return;
  const keys = await checkKeys(config, ledger);
  yield* keys.looked;
  yield await checkFeed(config, ledger);
  yield* checkViewsStore(config, log);
  if (!keys.vault) return;
  yield* await checkIngest(config.ingestUrl, keys.vault, log);
  await keys.vault.close();
}

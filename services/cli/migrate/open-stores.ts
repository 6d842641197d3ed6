import { requireSettings } from '#config/require-settings.js';
import type { Config } from '#config/settings.js';
import type { PlaceName } from '#ledger/place.js';
import { backupPlace } from '#ledger/restore-ledger.js';
import { openHomeStores } from './home-stores.js';
import type { Stores } from './stores.js';

/** A ledger that is to be put somewhere, and where it comes from. */
export type Coming = { readonly ledger: string; readonly from: PlaceName };

/** The ledger, keys and tokens of the configured profile. */
export function openSource(config: Config, warn: (sentence: string) => void): Promise<Stores> {
  return config.profile === 'distributed'
    ? openEngines(config, config.eventstoreUrl, config.masterKeyFile, undefined, warn)
    : openHomeStores(config.home, config.masterKeyFile);
}

/** The drivers are loaded only where they are needed. */
export async function openEngines(
  config: Config,
  eventstoreUrl: string | undefined,
  masterKey: string,
  coming: Coming | undefined,
  warn: (sentence: string) => void,
): Promise<Stores> {
  requireSettings(config, coming ? ['keysUrl'] : ['keysUrl', 'eventstoreUrl'], 'A ledger in EventStoreDB');
  const { openEngineStores } = await import('../migrate/distributed/engine-stores.js');
  const { keysUrl, postgresUrl } = config;
  return openEngineStores(
    { eventstoreUrl: eventstoreUrl as string, keysUrl: keysUrl as string, postgresUrl, masterKeyFile: masterKey },
    { coming, warn },
  );
}

/** An empty place of the configured profile, for a ledger that is in files. */
export function openTarget(
  config: Config,
  ledger: string,
  shown: string,
  warn: (sentence: string) => void,
): Promise<Stores> {
  const coming: Coming = { ledger, from: { id: backupPlace, shown } };
  return config.profile === 'distributed'
    ? openEngines(config, config.eventstoreUrl, config.masterKeyFile, coming, warn)
    : openHomeStores(config.home, config.masterKeyFile, coming);
}

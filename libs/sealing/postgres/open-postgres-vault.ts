import { HindsightError } from '#contract/errors.js';
import type { Sources } from '#contract/sources.js';
import type { KeyCopy } from '../key-copy.js';
import { looseModeOf, masterKeyFile, sweepUnfinished } from '../master-key-file.js';
import { openVault } from '../open-vault.js';
import type { Vault } from '../vault.js';
import { type KeysDatabaseOptions, openKeysDatabase } from './open-keys-database.js';
import { postgresKeyStore } from './postgres-key-store.js';

/** Milliseconds: four short queries a second and process, while keys are used. */
const noticeWithin = 250;

export interface PostgresVaultOptions extends KeysDatabaseOptions {
  /** Whether events were stored with keys of this database. Ask the ledger before this opens the keys. */
  readonly ledgerHasEvents: boolean;
  readonly ledger: string;
  /**
   * Whether tables, the master key and the store's first epoch may be made here; by default they may. Without it a service waits for the
   * one that makes them.
   */
  readonly create?: boolean;
  /** The copy of the keys that is made anew whenever the master key moves. */
  readonly copy?: KeyCopy;
}

/**
 * The vault of the distributed profile: keys in a database of their own, the master key in a file that all services read. Both made on
 * first use; a key is never made beside data that it could not open. While the database is away, what is cached goes on serving, and
 * whatever needs another key is refused with `keys_unreachable` within seconds.
 * @throws HindsightError keys_unreachable · keys_missing · master_key_missing · master_key_wrong · newer_format · invalid_config
 */
export async function openPostgresVault(
  places: { readonly url: string; readonly masterKeyFile: string },
  sources: Pick<Sources, 'random'>,
  options: PostgresVaultOptions,
): Promise<Vault> {
  const { ledgerHasEvents, create = true } = options;
  const pool = await openKeysDatabase(places.url, options);
  const keyStore = postgresKeyStore(pool);
  try {
    if ((ledgerHasEvents || !create) && !(await keyStore.epoch()))
      throw new HindsightError(
        'keys_missing',
        ledgerHasEvents
          ? `The database ${pool.place} holds no keys, but the ledger has events that need them.`
          : `The database ${pool.place} holds no keys yet.`,
        { database: pool.place },
      );
    const masterKey = masterKeyFile(places.masterKeyFile);
    const vault = await openVault({
      keyStore,
      masterKey,
      sources,
      noticeWithin,
      ...(options.copy && { copy: options.copy }),
    });
    if (create) await sweepUnfinished(places.masterKeyFile);
    const loose = await looseModeOf(places.masterKeyFile);
    if (loose) options.warn?.(loose);
    return vault;
  } catch (error) {
    await keyStore.close();
    throw error;
  }
}

import { existsSync } from 'node:fs';
import { HindsightError } from '#contract/errors.js';
import type { Sources } from '#contract/sources.js';
import type { KeyCopy } from '../key-copy.js';
import { looseModeOf, masterKeyFile, sweepUnfinished } from '../master-key-file.js';
import { openVault } from '../open-vault.js';
import type { Vault } from '../vault.js';
import { openKeysDatabase } from './keys-database.js';
import { sqliteKeyStore } from './sqlite-key-store.js';

export interface FileVaultOptions {
  /** Whether events were stored with keys of this home. Ask the ledger before this opens the keys. */
  readonly ledgerHasEvents: boolean;
  /** Id of the ledger whose keys these must be; not checked without it. */
  readonly ledger?: string;
  /** Opens what is there and makes nothing: for a home that cannot be written. */
  readonly readOnly?: boolean;
  /** The copy of the keys that is made anew whenever the master key moves. */
  readonly copy?: KeyCopy;
  /** Told of what is wrong but stops nothing, as a sentence. */
  readonly warn?: (sentence: string) => void;
}

/**
 * The vault of a home: keys.db and master.key, both made on first use. A key is never made beside data that it could not open.
 * @throws HindsightError keys_missing · master_key_missing · master_key_wrong · newer_format · not_writable · disk_full · ledger_corrupt
 */
export async function openFileVault(
  paths: { readonly keysDb: string; readonly masterKeyFile: string },
  sources: Pick<Sources, 'random'>,
  options: FileVaultOptions,
): Promise<Vault> {
  if (options.ledgerHasEvents && !existsSync(paths.keysDb)) throw keysMissing(paths.keysDb, 'is not there');
  const keyStore = sqliteKeyStore(await openKeysDatabase(paths.keysDb, options));
  try {
    if (options.ledgerHasEvents && !(await keyStore.epoch())) throw keysMissing(paths.keysDb, 'holds no keys');
    const vault = await openVault({
      keyStore,
      masterKey: masterKeyFile(paths.masterKeyFile),
      sources,
      ...(options.copy && { copy: options.copy }),
    });
    if (!options.readOnly) await sweepUnfinished(paths.masterKeyFile);
    const loose = await looseModeOf(paths.masterKeyFile);
    if (loose) options.warn?.(loose);
    return vault;
  } catch (error) {
    await keyStore.close();
    throw error;
  }
}

function keysMissing(file: string, how: string): HindsightError {
  return new HindsightError('keys_missing', `${file} ${how}, but the ledger has events that need its keys.`, { file });
}

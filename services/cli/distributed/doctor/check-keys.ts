import { existsSync } from 'node:fs';
import { prepareHome } from '#config/home.js';
import type { Config } from '#config/settings.js';
import { isHindsightError } from '#contract/errors.js';
import { openKeysDatabase } from '#sealing/postgres/open-keys-database.js';
import { openPostgresVault } from '#sealing/postgres/open-postgres-vault.js';
import { postgresKeyStore } from '#sealing/postgres/postgres-key-store.js';
import type { Vault } from '#sealing/vault.js';
import { checkKeyCopy } from '../../doctor/check-key-copy.js';
import { type Looked, warning, well, wrong } from '../../doctor/finding.js';
import { systemSources } from '../../embedded/system-sources.js';
import type { FoundLedger } from './check-ledger.js';

/** The database of the keys, and whether this machine's master key opens it. */
export async function checkKeys(config: Config, ledger: FoundLedger): Promise<{ looked: Looked[]; vault?: Vault }> {
  const looked: Looked[] = [];
  const open = (create: boolean) =>
    openPostgresVault({ url: config.keysUrl, masterKeyFile: config.masterKeyFile }, systemSources, {
      ledger: ledger.id,
      ledgerHasEvents: ledger.hasEvents,
      viewsUrl: config.postgresUrl,
      create,
      warn: (sentence) => looked.push(warning('keys', sentence, 'Mend it before it matters: keys must not be lost.')),
    });
  try {
    const vault = await open(false);
    const copy = await keyCopyOf(config);
    return {
      looked: [well('keys', `${await placeOf(config)}, opened by ${config.masterKeyFile}`), ...looked, ...copy],
      vault,
    };
  } catch (error) {
    if (!isHindsightError(error)) throw error;
    const notMade = isHindsightError(error, 'keys_missing') && !ledger.hasEvents && !existsSync(config.masterKeyFile);
    if (!notMade) return { looked: [...looked, wrong('keys', error.message, error.hint)] };
    return {
      looked: [
        wrong(
          'keys',
          `${error.message} The ledger is empty: they are made at the first start.`,
          'Start ingest.',
          async () => {
            prepareHome(config.home);
            await (await open(true)).close();
            return `the keys were made, and the master key at ${config.masterKeyFile}: back both up, apart from each other.`;
          },
        ),
      ],
    };
  }
}

async function keyCopyOf({ keysUrl }: Config): Promise<Looked[]> {
  const keyStore = postgresKeyStore(await openKeysDatabase(keysUrl, { create: false }));
  return checkKeyCopy(keyStore).finally(() => keyStore.close());
}

async function placeOf({ keysUrl }: Config): Promise<string> {
  const pool = await openKeysDatabase(keysUrl, { create: false });
  try {
    const [row] = await pool.read((connection) =>
      connection.rows<{ version: string }>(`SELECT current_setting('server_version') AS version`),
    );
    return `PostgreSQL ${row?.version} at ${pool.place}`;
  } finally {
    await pool.close();
  }
}

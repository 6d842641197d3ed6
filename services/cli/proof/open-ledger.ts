import { existsSync } from 'node:fs';
import { homePaths } from '#config/home.js';
import { requireSettings } from '#config/require-settings.js';
import type { Config } from '#config/settings.js';
import { HindsightError } from '#contract/errors.js';
import { type Damage, markDamaged } from '#ledger/damage.js';
import type { Ledger } from '#ledger/ledger.js';
import { gapsIn } from '#ledger/sqlite/gaps.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import type { VerifyOptions } from '#ledger/verify-ledger.js';

/** The ledger by itself: hashes are of sealed bytes, so it can be proven when the keys are lost. */
export interface LedgerAlone {
  readonly ledger: Ledger;
  readonly gapBetween?: VerifyOptions['gapBetween'];
  readonly strayed?: VerifyOptions['strayed'];
  readonly refuseWrites?: (damage: Omit<Damage, 'at'>) => void;
  /** What to do about something wrong. */
  readonly mend: string;
}

/** @throws HindsightError file_not_found · invalid_config · unreachable · what the adapter throws */
export async function openLedgerAlone(config: Config): Promise<LedgerAlone> {
  if (config.profile === 'distributed') {
    requireSettings(config, ['eventstoreUrl'], 'The distributed profile');
    const { openEventStoreLedger } = await import('#ledger/eventstoredb/eventstoredb-ledger.js');
    return {
      ledger: await openEventStoreLedger(config.eventstoreUrl),
      mend: 'Stop the ingest services, and restore EventStoreDB from a backup.',
    };
  }
  const { ledger: path } = homePaths(config.home);
  if (!existsSync(path)) throw new HindsightError('file_not_found', `There is no ledger at ${path}.`, { file: path });
  const ledger = await openSqliteLedger(path);
  return {
    ledger,
    strayed: ledger.strayed,
    gapBetween: gapsIn(path),
    refuseWrites: (damage) => markDamaged(path, { at: new Date().toISOString(), ...damage }),
    mend: 'Writes are refused from now on. Restore ledger.db from a backup.',
  };
}

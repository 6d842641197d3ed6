import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import type { HomePaths } from '#config/home.js';
import { isHindsightError } from '#contract/errors.js';
import { readDamage } from '#ledger/damage.js';
import { looseModeOf } from '#sealing/master-key-file.js';
import { openDatabase } from '#sqlite/open-database.js';
import { type Looked, well, wrong } from './finding.js';

/** The database files as such; whether events are unchanged is what `verify` tells. */
export function checkDatabases(paths: HomePaths): Looked[] {
  return [
    ...checkDatabase('ledger', paths.ledger, 'Restore ledger.db from a backup; `verify` names the events concerned.'),
    ...checkDatabase('keys', paths.keys, 'Restore keys.db from a backup: without it nothing in the ledger opens.'),
  ];
}

function checkDatabase(check: string, path: string, mend: string): Looked[] {
  if (!existsSync(path)) return [];
  const damage = check === 'ledger' ? readDamage(path) : undefined;
  if (damage)
    return [wrong(check, `Damage was noted on ${damage.at.slice(0, 10)}, so writes are refused: ${damage.what}`, mend)];
  try {
    const db = openDatabase(path, { synchronous: 'FULL', readOnly: true });
    try {
      const row = db.raw.prepare('PRAGMA quick_check(1)').get() as Record<string, unknown> | undefined;
      const said = String(Object.values(row ?? {})[0] ?? 'ok');
      return [said === 'ok' ? well(check, `${path} is whole`) : wrong(check, `${path} is damaged: ${said}.`, mend)];
    } finally {
      db.close();
    }
  } catch (error) {
    return [wrong(check, isHindsightError(error) ? error.message : `${path}: ${(error as Error).message}.`, mend)];
  }
}

export async function checkMasterKey(path: string, paths: HomePaths): Promise<Looked> {
  if (!existsSync(path)) {
    if (!existsSync(paths.keys)) return well('master key', 'made with the first write');
    return wrong('master key', `${path} is not there.`, 'Put the master.key of this home back from a backup.');
  }
  const loose = await looseModeOf(path);
  if (!loose) return well('master key', path);
  return wrong('master key', loose, `Run: chmod 600 ${path}`, async () => {
    await chmod(path, 0o600);
    return `${path} is now for its owner alone.`;
  });
}

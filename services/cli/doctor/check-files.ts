import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import type { HomePaths } from '#config/home.js';
import { isHindsightError } from '#contract/errors.js';
import { readDamage } from '#ledger/damage.js';
import { movedStatus } from '#ledger/sqlite/moved.js';
import { looseModeOf } from '#sealing/master-key-file.js';
import { openDatabase, readableError } from '#sqlite/open-database.js';
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
      if (said !== 'ok') return [wrong(check, `${path} is damaged: ${said}.`, mend)];
      const status = check === 'ledger' ? movedStatus(db) : undefined;
      if (status && !status.open) return [movedAway(check, path, status.ledgerIsAt.shown, status.cut === undefined)];
      return [well(check, `${path} is whole`)];
    } finally {
      db.close();
    }
  } catch (error) {
    const told = readableError(error, path);
    if (!isHindsightError(told)) return [wrong(check, `${path}: ${(error as Error).message}.`, mend)];
    // A file that cannot be opened on a full disk is as sound as before: putting an older one in its place would lose what came since.
    return [wrong(check, told.message, told.code === 'ledger_corrupt' ? mend : told.hint)];
  }
}

function movedAway(check: string, path: string, at: string, isComing: boolean): Looked {
  if (isComing)
    return wrong(
      check,
      `The ledger is on its way here from ${at}: until all of it is there, nothing is written.`,
      'Run `hindsight-ledger migrate` again, as before.',
    );
  return wrong(
    check,
    `The ledger has moved to ${at}: what is in ${path} ends there, and nothing more is written.`,
    'Set this machine’s clients to where it is (docs/migrating.md); or finish or cancel `hindsight-ledger migrate`, if it was stopped.',
  );
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

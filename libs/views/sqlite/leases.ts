import { isHindsightError } from '#contract/errors.js';
import { immediate } from '#sqlite/immediate.js';
import type { SqliteDatabase } from '#sqlite/open-database.js';

interface Lease {
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Whoever holds the file's lock is at work already: a lease is not worth waiting for. */
const patience = 0;
/** Milliseconds that a process which closes waits to give a lease up; it lapses by itself soon after. */
const releasePatience = 500;

/** Takes or renews a lease; false while another holder has it. Looks before it locks, since most looks are in vain. */
export async function takeLease(db: SqliteDatabase, name: string, holder: string, forMs: number): Promise<boolean> {
  const isFree = () => {
    const lease = db.prepare('SELECT holder, until FROM hl_leases WHERE name = ?').get(name) as Lease | undefined;
    // A clock that was set back must not keep a lease for longer than it was taken for.
    return !lease || lease.holder === holder || lease.until <= Date.now() || lease.until > Date.now() + forMs;
  };
  if (!isFree()) return false;
  try {
    return await immediate(
      db,
      () => {
        if (!isFree()) return false;
        db.prepare(
          'INSERT INTO hl_leases (name, holder, until) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET holder = ?2, until = ?3',
        ).run(name, holder, Date.now() + forMs);
        return true;
      },
      { patience },
    );
  } catch (error) {
    if (isHindsightError(error, 'ledger_busy')) return false;
    throw error;
  }
}

export async function releaseLease(db: SqliteDatabase, name: string, holder: string): Promise<void> {
  const give = () => db.prepare('DELETE FROM hl_leases WHERE name = ? AND holder = ?').run(name, holder);
  await immediate(db, give, { patience: releasePatience });
}

import { isHindsightError } from '#contract/errors.js';
import type { PostgresStore } from './store.js';

/**
 * Takes or renews a lease by the database's clock, which is one for all; false while another holder has it. A clock that was set back
 * must not keep a lease for longer than it was taken for.
 */
export async function takeLease(store: PostgresStore, name: string, holder: string, forMs: number): Promise<boolean> {
  try {
    const rows = await store.connections.run({
      name: 'take lease',
      text:
        `INSERT INTO hindsight.hl_leases AS held (name, holder, until) VALUES ($1, $2, clock_timestamp() + $3::double precision * interval '1 ms') ` +
        'ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until ' +
        'WHERE held.holder = excluded.holder OR held.until <= clock_timestamp() OR held.until > excluded.until RETURNING name',
      values: [name, holder, forMs],
    });
    return rows.length === 1;
  } catch (error) {
    if (isHindsightError(error, 'ledger_busy')) return false;
    throw error;
  }
}

export async function releaseLease(store: PostgresStore, name: string, holder: string): Promise<void> {
  await store.connections.run({
    text: 'DELETE FROM hindsight.hl_leases WHERE name = $1 AND holder = $2',
    values: [name, holder],
  });
}

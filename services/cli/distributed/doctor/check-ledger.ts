import type { Config } from '#config/settings.js';
import { isHindsightError } from '#contract/errors.js';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import { type Looked, well, wrong } from '../../doctor/finding.js';

/** What every other check needs to know of the ledger. */
export interface FoundLedger {
  readonly id: string;
  readonly hasEvents: boolean;
}

/** Milliseconds that each engine is tried for: whoever calls the doctor waits. */
const patience = 5_000;

export async function checkLedger({ eventstoreUrl }: Config): Promise<{ looked: Looked; ledger?: FoundLedger }> {
  try {
    const ledger = await openEventStoreLedger(eventstoreUrl, { patience, deadline: patience });
    try {
      const head = await ledger.head();
      const says = `EventStoreDB answers: ledger ${ledger.id}, ${head === undefined ? 'empty' : `head ${head}`}`;
      return { looked: well('ledger', says), ledger: { id: ledger.id, hasEvents: head !== undefined } };
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (!isHindsightError(error)) throw error;
    return { looked: wrong('ledger', error.message, error.hint) };
  }
}

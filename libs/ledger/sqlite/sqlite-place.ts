import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { HindsightError } from '#contract/errors.js';
import { immediate } from '#sqlite/immediate.js';
import { openDatabase } from '#sqlite/open-database.js';
import type { AppendRequest } from '../append-request.js';
import { checkAppend } from '../append-request.js';
import type { Place, PlaceName } from '../place.js';
import { toPosition } from './columns.js';
import { fillMoved, markMoved, movedStatus, unmarkMoved } from './moved.js';
import { createLedger, holdsLedger, ledgerId, newLedgerId, placeId } from './schema.js';
import { openSqliteLedger } from './sqlite-ledger.js';
import { writeAppend } from './write-append.js';

export interface SqlitePlaceOptions {
  /** How the place is called to people. */
  readonly shown: string;
  /** A ledger that is to come here: made closed where there is none. */
  readonly coming?: { readonly ledger: string; readonly from: PlaceName };
  readonly random?: (bytes: number) => Uint8Array;
}

/**
 * The file of a ledger, to be moved from or to.
 * @throws HindsightError file_not_found when there is none and none is coming · invalid_config when another ledger is there
 */
export async function openSqlitePlace(path: string, options: SqlitePlaceOptions): Promise<Place> {
  const { coming, shown, random = randomBytes } = options;
  if (!coming && !existsSync(path))
    throw new HindsightError('file_not_found', `There is no ledger at ${path}.`, { file: path });
  const db = openDatabase(path, { synchronous: 'FULL' });
  try {
    const id = await immediate(db, () => {
      if (coming && createLedger(db, coming.ledger)) markMoved(db, coming.from, undefined);
      else if (!holdsLedger(db)) createLedger(db, newLedgerId(random));
      return placeId(db, random);
    });
    if (coming && ledgerId(db) !== coming.ledger)
      throw new HindsightError(
        'invalid_config',
        `${path} holds ledger ${ledgerId(db)}, and ${coming.ledger} was to come there. Give a home without a ledger: by --home, or by --to where the ledger moves.`,
        { file: path, found: ledgerId(db), ledger: coming.ledger },
      );
    const ledger = await openSqliteLedger(path);
    return {
      name: { id, shown },
      ledger,
      status: async () => movedStatus(db),
      fill: (appends) => immediate(db, () => fillMoved(db, () => write(db, appends))),
      close: (to) =>
        immediate(db, () => {
          const status = movedStatus(db);
          if (!status.open) return status.cut;
          const { head } = db.prepare('SELECT max(position) AS head FROM events').get() as { head: number | null };
          const cut = head === null ? undefined : toPosition(head);
          markMoved(db, to, cut);
          return cut;
        }),
      open: () => immediate(db, () => unmarkMoved(db)),
      async leave() {
        await ledger.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws at the first that is refused, which takes back the whole transaction. */
function write(db: Parameters<typeof writeAppend>[0], appends: readonly AppendRequest[]): void {
  for (const append of appends) {
    checkAppend(append);
    const outcome = writeAppend(db, append);
    if (outcome instanceof HindsightError) throw outcome;
  }
}

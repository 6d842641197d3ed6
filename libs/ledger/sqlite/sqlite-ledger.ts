import { randomBytes } from 'node:crypto';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { checkpoint } from '#sqlite/checkpoint.js';
import { immediate } from '#sqlite/immediate.js';
import { openDatabase, type SqliteDatabase } from '#sqlite/open-database.js';
import { type AppendRequest, checkAppend } from '../append-request.js';
import { type Damage, markDamaged, readDamage } from '../damage.js';
import type { Appended, Ledger, StoredEvent } from '../ledger.js';
import { besideBytes } from './beside-bytes.js';
import { checkpointMark } from './checkpoint-mark.js';
import { fromPosition, toPosition } from './columns.js';
import { groupCommit } from './group-commit.js';
import { movedStatus } from './moved.js';
import { nextTurn } from './next-turn.js';
import { paged } from './paged.js';
import { type Direction, pagesOf } from './read-pages.js';
import { createLedger, holdsLedger, ledgerId, newLedgerId } from './schema.js';
import { bell, subscription } from './subscription.js';
import { writeAppend } from './write-append.js';

export interface SqliteLedgerOptions {
  /** Never creates or changes the file; appends are refused with `ledger_read_only`. */
  readonly readOnly?: boolean;
  /** Random bytes for the id of a new ledger. */
  readonly random?: (bytes: number) => Uint8Array;
  readonly now?: () => number;
  /** Told at opening when the ledger is elsewhere: what is read here ends where it left. */
  readonly onMoved?: (at: string) => void;
  /** Milliseconds between looks for other processes' events; 25 by default. */
  readonly lookEvery?: number;
}

/** As a ledger, and what its file holds beside what readers are given. */
export interface SqliteLedger extends Ledger {
  /** For `verifyLedger`: what is wrong with the columns of an event by which it is found. To be asked in the ledger's order. */
  strayed(event: StoredEvent): string | undefined;
}

/**
 * The ledger in one SQLite file, which any number of processes may have open; made with its id where it is missing.
 * Where the file or its folder cannot be written, it is opened for reading, and appends are refused with `not_writable`.
 * @throws HindsightError newer_format · ledger_corrupt · not_writable (there is none, and none can be made) · disk_full · ledger_busy
 */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions = {}): Promise<SqliteLedger> {
  const { db, refusal } = await openFile(path, options);
  const status = movedStatus(db);
  if (!status.open) options.onMoved?.(status.ledgerIsAt.shown);
  const now = options.now ?? Date.now;
  const wake = bell();
  const closing = new AbortController();
  let damage: Damage | undefined;

  function noteDamage(noted: Omit<Damage, 'at'>): void {
    damage ??= { at: new Date(now()).toISOString(), ...noted };
    markDamaged(path, damage);
  }

  const pages = pagesOf(db, (first, last, error) =>
    noteDamage({
      what: `Events at positions ${first} to ${last} cannot be read: ${(error as Error).message}.`,
      position: toPosition(first),
      through: toPosition(last),
    }),
  );

  let columns: SqliteLedger['strayed'] | undefined;
  const isDue = checkpointMark();
  const commits = groupCommit(
    async (work) => {
      damage ??= readDamage(path);
      if (damage) throw readOnly(path, damage);
      try {
        return await immediate(db, work);
      } catch (error) {
        if (isHindsightError(error, 'ledger_corrupt')) noteDamage({ what: error.message });
        throw error;
      }
    },
    (request) => writeAppend(db, request),
    async (written) => {
      if (!isDue(written)) return;
      // Those who wait for an answer get it first.
      await nextTurn();
      await checkpoint(db);
    },
  );

  async function append(request: AppendRequest): Promise<Appended> {
    if (refusal) throw refusal;
    if (closing.signal.aborted) throw new HindsightError('internal', `The ledger ${path} is closed.`);
    checkAppend(request);
    const appended = await commits.append(request);
    wake.ring();
    return appended;
  }

  return {
    id: ledgerId(db),
    append: (stream, events, expected) => append({ stream, events, expected }),
    readStream: (stream, { from, direction = 'forward', limit } = {}) =>
      paged(limit, (last, left) =>
        pages.stream(stream, last ? last.revision + stepOf(direction) : from, direction, left),
      ),
    readAll: ({ after, before, direction = 'forward', limit } = {}) => {
      const start = direction === 'forward' ? after : before;
      return paged(limit, (last, left) => {
        const from = last?.position ?? start;
        // Never ended before an empty page: what is appended while a reader is slow still belongs to what it reads.
        return {
          events: pages.all(from === undefined ? undefined : fromPosition(from), direction, left),
          ended: false,
        };
      });
    },
    subscribeAll: (after, signal) =>
      subscription(pages, wake, after, AbortSignal.any([signal, closing.signal]), options.lookEvery ?? 25),
    head: async () => {
      const head = pages.head();
      return head === 0 ? undefined : toPosition(head);
    },
    strayed: (event) => {
      columns ??= besideBytes(db);
      return columns(event);
    },
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort();
      await commits.idle();
      db.close();
    },
  };
}

async function openFile(
  path: string,
  options: SqliteLedgerOptions,
): Promise<{ db: SqliteDatabase; refusal?: HindsightError }> {
  if (options.readOnly) {
    const refusal = new HindsightError('ledger_read_only', `The ledger ${path} was opened for reading only.`);
    return { db: openToRead(path), refusal };
  }
  try {
    const db = openDatabase(path, { synchronous: 'FULL' });
    try {
      if (!holdsLedger(db)) await immediate(db, () => createLedger(db, newLedgerId(options.random ?? randomBytes)));
      // Checkpoints are made when a mark is passed (checkpoint-mark.ts).
      db.exec('PRAGMA wal_autocheckpoint = 0');
      return { db };
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    if (!isHindsightError(error, 'not_writable')) throw error;
    return { db: openToRead(path), refusal: error };
  }
}

function openToRead(path: string): SqliteDatabase {
  const db = openDatabase(path, { synchronous: 'FULL', readOnly: true });
  if (holdsLedger(db)) return db;
  db.close();
  throw new HindsightError('not_writable', `${path} holds no ledger, and none can be made there.`, { file: path });
}

function readOnly(path: string, damage: Damage): HindsightError {
  return new HindsightError(
    'ledger_read_only',
    `The ledger ${path} is damaged, so writes are refused: ${damage.what}`,
    {
      file: path,
      ...damage,
    },
  );
}

function stepOf(direction: Direction): number {
  return direction === 'forward' ? 1 : -1;
}

import { randomUUID } from 'node:crypto';
import { HindsightError } from '#contract/errors.js';
import { filledAlready, type Place, type PlaceName, type PlaceStatus } from '../place.js';
import { appender } from './append.js';
import { connect } from './connect.js';
import { openEventStoreLedger } from './eventstoredb-ledger.js';
import { insist, type Limits, pause } from './insist.js';
import { placeOf } from './ledger-place.js';
import { pagesOf } from './pages.js';
import { defaultTrust } from './place-gate.js';
import { type PlaceRecord, readRecord, writeRecord } from './place-record.js';

export interface EventStorePlaceOptions {
  /** `main` by default. */
  readonly name?: string;
  /** A ledger that is to come here: made closed where there is none. */
  readonly coming?: { readonly ledger: string; readonly from: PlaceName };
  /** Milliseconds that one call may take, and in which it is tried again; 10,000 and 30,000 by default. */
  readonly deadline?: number;
  readonly patience?: number;
  /** As for the ledger; the same for all who open it. */
  readonly trust?: number;
}

/** Between telling that the ledger leaves and closing it: longer than any writer relies on what it was told, by so much. */
const margin = 1.2;

/**
 * A ledger in EventStoreDB, to be moved from or to.
 * @throws HindsightError invalid_config when another ledger is there · unreachable
 */
export async function openEventStorePlace(
  connectionString: string,
  options: EventStorePlaceOptions = {},
): Promise<Place> {
  const { name = 'main', coming, trust = defaultTrust } = options;
  const notice = trust * margin;
  const { client, close: disconnect } = connect(connectionString);
  const closing = new AbortController();
  const limits: Limits = {
    deadline: options.deadline ?? 10_000,
    patience: options.patience ?? 30_000,
    random: Math.random,
    closing: closing.signal,
  };
  const shown = shownOf(connectionString, name);
  try {
    const place = await placeOf(client, limits, name, () => {
      if (coming) return { id: coming.ledger, comingFrom: coming.from };
      throw new HindsightError('file_not_found', `There is no ledger at ${shown}.`);
    });
    if (coming && place.id !== coming.ledger)
      throw new HindsightError(
        'invalid_config',
        `${shown} holds ledger ${place.id}, and ${coming.ledger} was to come there. Migrate before services are started on it for the first time, or give an EventStoreDB without a ledger.`,
        { found: place.id, ledger: coming.ledger },
      );
    const ledger = await openEventStoreLedger(connectionString, {
      name,
      deadline: limits.deadline,
      patience: limits.patience,
      trust,
    });
    const append = appender(client, limits, pagesOf(client, limits, place), randomUUID);
    const record = () =>
      insist(limits, 'While it was asked where the ledger is.', (deadline) => readRecord(client, place, deadline));

    /** Whether it was written is seen in the record: another one may stand there, or an earlier try of this one. */
    const write = (after: PlaceRecord, type: Parameters<typeof writeRecord>[3], to?: PlaceName) =>
      insist(limits, 'Where the ledger is may be written or not.', (deadline) =>
        writeRecord(client, place, after, type, to, deadline),
      );

    async function close(to: PlaceName, signal: AbortSignal = closing.signal): Promise<PlaceRecord> {
      for (let found = await record(); found.state !== 'gone'; found = await record()) {
        if (found.state !== 'leaving') {
          await write(found, 'LedgerMoving', to);
          continue;
        }
        await pause(notice, signal);
        if (signal.aborted) {
          await write(found, 'LedgerOpened');
          signal.throwIfAborted();
        }
        // Directly behind the record that was there during the whole pause, or not at all.
        await write(found, 'LedgerMoved', to);
      }
      return record();
    }

    return {
      name: { id: place.placeId, shown },
      ledger,
      status: async () => statusOf(await record()),
      async fill(appends) {
        if (statusOf(await record()).open) throw filledAlready(shown);
        // One at a time: of two that are on their way at once, the server may take either first.
        for (const request of appends) await append(request);
      },
      close: async (to, signal) => (await close(to, signal)).position,
      async open() {
        for (let found = await record(); found.state !== 'here'; found = await record())
          await write(found, 'LedgerOpened');
      },
      async leave() {
        await ledger.close();
        closing.abort();
        await disconnect();
      },
    };
  } catch (error) {
    await disconnect();
    throw error;
  }
}

function statusOf(record: PlaceRecord): PlaceStatus {
  if (record.state === 'here' || record.state === 'leaving') return { open: true };
  return {
    open: false,
    ledgerIsAt: record.ledgerIsAt,
    cut: record.state === 'gone' ? record.position : undefined,
  };
}

/** Scheme and servers: what a person needs to find it again, and nothing that opens it. */
function shownOf(connectionString: string, name: string): string {
  const [, scheme = 'esdb', servers = ''] = /^([^:]+):\/\/(?:[^@/?]*@)?([^/?]*)/.exec(connectionString.trim()) ?? [];
  return `${scheme}://${servers}${name === 'main' ? '' : `, ledger ${name}`}`;
}

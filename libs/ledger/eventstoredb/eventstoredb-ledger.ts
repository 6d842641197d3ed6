import { randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { HindsightError } from '#contract/errors.js';
import type { AppendRequest } from '../append-request.js';
import type { Appended, Ledger } from '../ledger.js';
import { appender } from './append.js';
import { connect } from './connect.js';
import { atMost } from './in-flight.js';
import type { Limits } from './insist.js';
import { placeOf } from './ledger-place.js';
import { pagesOf } from './pages.js';
import { gated, placeGate } from './place-gate.js';
import { readRecord } from './place-record.js';
import { subscription } from './subscription.js';

export interface EventStoreLedgerOptions {
  /** One server may hold several ledgers: lower-case letters and digits; `main` by default. */
  readonly name?: string;
  /** Milliseconds that one call may take; 10,000 by default. */
  readonly deadline?: number;
  /** Milliseconds in which a call is tried again, while the server is away, before an error is given; 30,000 by default. */
  readonly patience?: number;
  /** The same for opening; `patience` by default. */
  readonly openingPatience?: number;
  /** Appends on their way at once; 64 by default (a connection carries 100 calls, reads and subscriptions among them). */
  readonly inFlight?: number;
  /** Milliseconds for which it is relied upon that the ledger has not moved (place-gate.ts); the same for all who open it, 10,000 by default. */
  readonly trust?: number;
  /** Told each time a subscription was lost and is made again; never holds content or credentials. */
  readonly onTrouble?: (reason: string) => void;
  /** Random bytes for the id of a new ledger. */
  readonly random?: (bytes: number) => Uint8Array;
  readonly uuid?: () => string;
}

/**
 * The ledger in an EventStoreDB, which any number of processes may have open; made with its id where it is missing.
 * @param connectionString `esdb://` or `esdb+discover://`, with user, password and certificates as the official client takes them
 * @throws HindsightError invalid_config (the string, or the user's rights) · unreachable
 */
export async function openEventStoreLedger(
  connectionString: string,
  options: EventStoreLedgerOptions = {},
): Promise<Ledger> {
  const { client, close } = connect(connectionString);
  const closing = new AbortController();
  // Everything that waits for its next try listens.
  setMaxListeners(0, closing.signal);
  const limits: Limits = {
    deadline: options.deadline ?? 10_000,
    patience: options.patience ?? 30_000,
    random: Math.random,
    closing: closing.signal,
  };
  try {
    const random = options.random ?? randomBytes;
    const opening = { ...limits, patience: options.openingPatience ?? limits.patience };
    const place = await placeOf(client, opening, options.name ?? 'main', () => ({
      id: Buffer.from(random(8)).toString('hex'),
    }));
    const pages = pagesOf(client, limits, place);
    const append = gated(
      placeGate((deadline) => readRecord(client, place, deadline), limits, options.trust),
      appender(client, limits, pages, options.uuid ?? randomUUID),
    );
    const oneOfSeveral = atMost(options.inFlight ?? 64);
    const pending = new Set<Promise<Appended>>();

    async function appendNow(request: AppendRequest): Promise<Appended> {
      closing.signal.throwIfAborted();
      const appended = oneOfSeveral(() => append(request));
      pending.add(appended);
      try {
        return await appended;
      } finally {
        pending.delete(appended);
      }
    }

    return {
      id: place.id,
      place: place.placeId,
      scattersAppends: true,
      append: (stream, events, expected) => appendNow({ stream, events, expected }),
      readStream: pages.stream,
      readAll: pages.all,
      subscribeAll: (after, signal) => {
        const onTrouble = options.onTrouble ?? (() => {});
        const parts = { client, limits, place, pages, onTrouble };
        return subscription(parts, after, AbortSignal.any([signal, closing.signal]));
      },
      head: pages.head,
      close: async () => {
        if (closing.signal.aborted) return;
        await Promise.allSettled(pending);
        closing.abort(new HindsightError('internal', `The ledger ${place.id} is closed.`));
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

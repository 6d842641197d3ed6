import { type EventStoreDBClient, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { HindsightError } from '#contract/errors.js';
import type { Position } from '../ledger.js';
import type { PlaceName } from '../place.js';
import { insist, type Limits } from './insist.js';
import { readPage } from './read-page.js';
import { positionOf } from './recorded-event.js';
import { Late } from './trouble.js';

/** Which ledger it is, and which part of the server's log is its. */
export interface LedgerPlace {
  readonly id: string;
  /** Before it nothing of the ledger stands. */
  readonly madeAt: Position;
  /** Whether a stream is the ledger's; others and the system's have the same log. */
  holds(stream: string): boolean;
  /** What the names of its streams begin with. */
  readonly prefix: string;
  /** Says which ledger it is, and whether it is here (place-record.ts). */
  readonly stream: string;
  /** Tells this place from others of the same ledger. */
  readonly placeId: string;
}

export interface NewLedger {
  readonly id: string;
  /** It is still there, and on its way here. */
  readonly comingFrom?: PlaceName;
}

/**
 * The ledger of this name in the server; made when it is not there. The event that makes it stands in a stream of its own, whose first
 * event it must be: of several processes that make it at once one does, and the others find it.
 * @param name lower-case letters and digits
 */
export async function placeOf(
  client: EventStoreDBClient,
  limits: Limits,
  name: string,
  newLedger: () => NewLedger,
): Promise<LedgerPlace> {
  if (!/^[a-z0-9]+$/.test(name)) {
    throw new HindsightError(
      'invalid_config',
      `A ledger in EventStoreDB cannot be named ${JSON.stringify(name)}: lower-case letters and digits.`,
    );
  }
  // Two parts only, so that it is the name of no stream of events.
  const stream = `hl.ledger-${name}`;
  return insist(limits, `While the ledger ${name} was looked for.`, async (deadline) => {
    const found = await read(client, stream, deadline);
    if (found) return found;
    const { id, comingFrom } = newLedger();
    try {
      const data = { ledger: id, ...(comingFrom && { comingFrom: { ...comingFrom } }) };
      await client.appendToStream(stream, jsonEvent({ type: 'LedgerMade', data }), {
        expectedRevision: NO_STREAM,
        requiresLeader: true,
        deadline,
      });
    } catch (error) {
      if ((error as { type?: unknown }).type !== 'wrong-expected-version') throw error;
    }
    // Also when this process made it: the answer may have been lost, and the event's position is needed.
    const made = await read(client, stream, deadline);
    if (!made) throw new Late(`${stream} is not there yet`);
    return made;
  });
}

async function read(client: EventStoreDBClient, stream: string, deadline: number): Promise<LedgerPlace | undefined> {
  const { events } = await readPage(
    client.readStream(stream, { fromRevision: START, maxCount: 1, requiresLeader: true }),
    deadline,
  );
  const [event] = events;
  if (!event) return undefined;
  const { ledger: id } = event.data as { ledger?: unknown };
  if (typeof id !== 'string' || !/^[a-z0-9]+$/.test(id)) {
    throw new HindsightError('ledger_corrupt', `${stream} does not say which ledger it is.`, { stream });
  }
  const prefix = `hl.${id}.`;
  return {
    id,
    madeAt: positionOf(event),
    prefix,
    holds: (name) => name.startsWith(prefix),
    stream,
    placeId: event.id.replaceAll('-', ''),
  };
}

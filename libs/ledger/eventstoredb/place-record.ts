import { BACKWARDS, END, type EventStoreDBClient, jsonEvent, type RecordedEvent } from '@eventstore/db-client';
import { HindsightError } from '#contract/errors.js';
import type { Position } from '../ledger.js';
import type { PlaceName } from '../place.js';
import type { LedgerPlace } from './ledger-place.js';
import { readPage } from './read-page.js';
import { positionOf } from './recorded-event.js';

/**
 * What the last event of the place's own stream says: `LedgerMade` and `LedgerOpened` that the ledger is here, or still elsewhere and
 * coming; `LedgerMoving` that it is about to leave; `LedgerMoved` that it has left. Such events are of no stream of the ledger, so they
 * are neither copied nor projected.
 */
export type PlaceRecord = { readonly revision: bigint; readonly position: Position } & (
  | { readonly state: 'here' }
  | { readonly state: 'leaving' }
  | { readonly state: 'coming' | 'gone'; readonly ledgerIsAt: PlaceName }
);

export async function readRecord(
  client: EventStoreDBClient,
  { stream }: LedgerPlace,
  deadline: number,
): Promise<PlaceRecord> {
  const { events } = await readPage(
    client.readStream(stream, { fromRevision: END, direction: BACKWARDS, maxCount: 1, requiresLeader: true }),
    deadline,
  );
  const [last] = events;
  if (!last) throw new HindsightError('ledger_corrupt', `${stream} was deleted in EventStoreDB.`, { stream });
  return toRecord(last);
}

function toRecord(event: RecordedEvent): PlaceRecord {
  const where = { revision: event.revision, position: positionOf(event) };
  const data = event.data as { comingFrom?: PlaceName; to?: PlaceName };
  switch (event.type) {
    case 'LedgerMade':
      return data.comingFrom ? { ...where, state: 'coming', ledgerIsAt: data.comingFrom } : { ...where, state: 'here' };
    case 'LedgerOpened':
      return { ...where, state: 'here' };
    case 'LedgerMoving':
      return { ...where, state: 'leaving' };
    case 'LedgerMoved':
      if (data.to) return { ...where, state: 'gone', ledgerIsAt: data.to };
  }
  throw new HindsightError(
    'newer_format',
    `${event.streamId} ends with ${event.type}, which this release does not know.`,
    { stream: event.streamId },
  );
}

/** Only behind the record that was read: of two that move a place at once, one finds it changed. */
export async function writeRecord(
  client: EventStoreDBClient,
  { stream }: LedgerPlace,
  after: PlaceRecord,
  type: 'LedgerMoving' | 'LedgerMoved' | 'LedgerOpened',
  to: PlaceName | undefined,
  deadline: number,
): Promise<void> {
  try {
    await client.appendToStream(stream, jsonEvent({ type, data: to ? { to: { ...to } } : {} }), {
      expectedRevision: after.revision,
      requiresLeader: true,
      deadline,
    });
  } catch (error) {
    // Whoever was faster, or an earlier try of this one: the record is read again.
    if ((error as { type?: unknown }).type !== 'wrong-expected-version') throw error;
  }
}

import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type RecordedEvent,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import type { Ledger, Position, StoredEvent } from '../ledger.js';
import { insist, type Limits } from './insist.js';
import type { LedgerPlace } from './ledger-place.js';
import { fromPosition } from './position.js';
import { readPage } from './read-page.js';
import { positionOf, toStoredEvent } from './recorded-event.js';

type StreamOptions = NonNullable<Parameters<Ledger['readStream']>[1]>;
type AllOptions = NonNullable<Parameters<Ledger['readAll']>[0]>;

export interface Pages {
  stream(name: string, options?: StreamOptions): AsyncGenerator<StoredEvent>;
  all(options?: AllOptions): AsyncGenerator<StoredEvent>;
  head(): Promise<Position | undefined>;
}

/** Events a call: the cost of a call is then little beside that of its events. */
const pageSize = 512;

/** Reads are of the leader: a follower may lie behind what this process was just told is written. */
const requiresLeader = true;

export function pagesOf(client: EventStoreDBClient, limits: Limits, place: LedgerPlace): Pages {
  const page = (what: string, read: (deadline: number) => StreamingRead<ResolvedEvent>) =>
    insist(limits, what, (deadline) => readPage(read(deadline), deadline));

  async function* stream(name: string, options: StreamOptions = {}): AsyncGenerator<StoredEvent> {
    const isForward = options.direction !== 'backward';
    let from = options.from === undefined ? undefined : BigInt(options.from);
    let left = options.limit ?? Number.MAX_SAFE_INTEGER;
    while (left > 0) {
      const maxCount = Math.min(left, pageSize);
      const { events, isCut } = await page(`While ${name} was read.`, () =>
        client.readStream(name, {
          fromRevision: from ?? (isForward ? START : END),
          direction: isForward ? FORWARDS : BACKWARDS,
          maxCount,
          requiresLeader,
        }),
      );
      for (const event of events) {
        const isNext = from === undefined || (isForward ? event.revision >= from : event.revision <= from);
        if (!isNext || left === 0) continue;
        yield toStoredEvent(event);
        left -= 1;
        from = event.revision + (isForward ? 1n : -1n);
      }
      if ((!isCut && events.length < maxCount) || (from !== undefined && from < 0n)) return;
    }
  }

  async function allPage(from: Position | undefined, isForward: boolean, maxCount: number): Promise<RecordedEvent[]> {
    const { events } = await page('While the ledger was read.', () =>
      client.readAll({
        fromPosition: from === undefined ? END : fromPosition(from),
        direction: isForward ? FORWARDS : BACKWARDS,
        maxCount,
        requiresLeader,
      }),
    );
    return [...events];
  }

  /** The client cannot filter a read of all: other ledgers' streams and the system's are passed over here. */
  async function* all(options: AllOptions = {}): AsyncGenerator<StoredEvent> {
    const isForward = options.direction !== 'backward';
    // Nothing of the ledger stands before it was made.
    let from = isForward ? later(options.after, place.madeAt) : options.before;
    let left = options.limit ?? Number.MAX_SAFE_INTEGER;
    while (left > 0) {
      // One more, since forward includes what stands at the position itself.
      const events = await allPage(from, isForward, Math.min(left + 1, pageSize));
      let passed = 0;
      for (const event of events) {
        const position = positionOf(event);
        if (from !== undefined && (isForward ? position <= from : position >= from)) continue;
        if (!isForward && position <= place.madeAt) return;
        passed += 1;
        from = position;
        if (!place.holds(event.streamId)) continue;
        yield toStoredEvent(event);
        left -= 1;
        if (left === 0) return;
      }
      // Never ended before an empty page: what is appended while a reader is slow still belongs to what it reads.
      if (passed === 0) return;
    }
  }

  let known: { readonly through: Position; readonly head: Position | undefined } = {
    through: place.madeAt,
    head: undefined,
  };

  /** From the end back to an event of the ledger, or to where the last search began. */
  async function head(): Promise<Position | undefined> {
    const before = known;
    let from: Position | undefined;
    let newest: Position | undefined;
    for (let size = 1; ; size = Math.min(pageSize, size * 16)) {
      const events = await allPage(from, false, size);
      let found: { readonly head: Position | undefined } | undefined;
      for (const event of events) {
        const position = positionOf(event);
        newest ??= position;
        from = position;
        if (position <= before.through) found = { head: before.head };
        else if (place.holds(event.streamId)) found = { head: position };
        if (found) break;
      }
      if (events.length === 0) found ??= { head: before.head };
      if (!found) continue;
      if (newest !== undefined && newest > known.through) known = { through: newest, head: found.head };
      return found.head;
    }
  }

  return { stream, all, head };
}

function later(left: Position | undefined, right: Position): Position {
  return left !== undefined && left > right ? left : right;
}

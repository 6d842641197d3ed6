import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  streamNameFilter,
} from '@eventstore/db-client';
import type { ErrorCode } from '#contract/errors.js';
import type { CaughtUp, Position, StoredEvent } from '../ledger.js';
import { type Limits, pause, pauseBefore } from './insist.js';
import type { LedgerPlace } from './ledger-place.js';
import type { Pages } from './pages.js';
import { fromPosition } from './position.js';
import { positionOf, toStoredEvent } from './recorded-event.js';
import { isLasting, Late, troubleOf } from './trouble.js';

export interface SubscriptionParts {
  readonly client: EventStoreDBClient;
  readonly limits: Limits;
  readonly place: LedgerPlace;
  readonly pages: Pages;
  /** Told each time a subscription was lost and is made again. */
  readonly onTrouble: (reason: string) => void;
}

/** A read that was given up while the server was away does not end a subscription: that has no end but its consumer's. */
const passes: ReadonlySet<string> = new Set<ErrorCode>(['unreachable']);

/** ms without an event, after which those that came are marked as all there are. */
const quiet = 2;

/** ms without an event, after which the head is looked at: a subscription may be dead and not know it. */
const suspicious = 10_000;

/**
 * What comes after a position, over as many subscriptions of the client as it takes: it makes none again by itself. Each goes on after
 * the last event that was handed out, never after one that was only received or after a checkpoint. Some 50 events are received
 * ahead at most, which client and gRPC hold, so a slow consumer slows the server.
 *
 * The client's own mark comes before up to 16 events that it still holds, and servers before 23.10 send none: so an event is looked
 * for at the head that was read when the subscription began.
 */
export async function* subscription(
  parts: SubscriptionParts,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent | CaughtUp> {
  const { limits, onTrouble } = parts;
  const progress: Progress = { last: after };
  let tries = 0;
  while (!signal.aborted) {
    try {
      for await (const each of oneSubscription(parts, progress, signal)) {
        tries = 0;
        if (signal.aborted) return;
        yield each;
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const trouble = troubleOf(error);
      if (isLasting(trouble) && !passes.has(trouble.code)) throw trouble;
      onTrouble(isLasting(trouble) ? trouble.message : trouble.reason);
    }
    tries += 1;
    await pause(pauseBefore(tries, limits.random), signal);
  }
}

interface Progress {
  /** Of the last event that was handed out. */
  last: Position | undefined;
}

async function* oneSubscription(
  { client, limits, place, pages }: SubscriptionParts,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent | CaughtUp> {
  const from = progress.last === undefined || progress.last < place.madeAt ? place.madeAt : progress.last;
  const source = client.subscribeToAll({
    fromPosition: fromPosition(from),
    filter: streamNameFilter({ prefixes: [place.prefix], maxSearchWindow: 512, checkpointInterval: 8 }),
    requiresLeader: true,
  });
  // An error after the loop has ended has no other listener, and would end the process.
  source.on('error', () => {});
  const end = () => source.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    // Waited for at once: the client tells an error once, to whoever listens then.
    const events = (source as AsyncIterable<AllStreamResolvedEvent>)[Symbol.asyncIterator]();
    let coming = events.next();
    coming.catch(() => {});
    let goal = (await pages.head()) ?? '';
    let isOwed = true;
    let silentFor = 0;
    while (!signal.aborted) {
      const isReached = (progress.last ?? '') >= goal;
      const patience = isOwed && isReached ? quiet : isReached ? suspicious : limits.deadline;
      const came = await orSilence(coming, patience);
      if (came === 'silence') {
        silentFor += patience;
        if (isOwed && isReached) {
          isOwed = false;
          yield { caughtUp: true, position: progress.last };
        } else if (!isReached && silentFor >= limits.deadline) {
          throw new Late(`no event for ${limits.deadline} ms, though there are some`);
        } else {
          goal = (await pages.head()) ?? '';
        }
        continue;
      }
      if (came.done) throw new Late('the subscription ended');
      silentFor = 0;
      coming = events.next();
      // Awaited in the next round, perhaps after a consumer has stopped.
      coming.catch(() => {});
      const recorded = came.value.event;
      if (!recorded) continue;
      const position = positionOf(recorded);
      if (progress.last !== undefined && position <= progress.last) continue;
      const event = toStoredEvent(recorded);
      // Handed out is processed: the consumer comes back for the next one only then.
      yield event;
      progress.last = position;
      isOwed = true;
    }
  } finally {
    signal.removeEventListener('abort', end);
    stop(source);
  }
}

/** Ending the iteration alone leaves the call open in the server. */
function stop(source: AllStreamSubscription): void {
  source.unsubscribe().catch(() => {});
  source.destroy();
}

async function orSilence<T>(coming: Promise<T>, milliseconds: number): Promise<T | 'silence'> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), milliseconds);
  });
  try {
    return await Promise.race([coming, silence]);
  } finally {
    clearTimeout(timer);
  }
}

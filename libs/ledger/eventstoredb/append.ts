import { type BinaryEventData, type EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { HindsightError } from '#contract/errors.js';
import { type AppendRequest, checkAppend, firstRevision, wrongExpectedRevision } from '../append-request.js';
import type { Appended, ExpectedRevision, StoredEvent } from '../ledger.js';
import { insist, type Limits } from './insist.js';
import type { Pages } from './pages.js';
import { toPosition } from './position.js';
import { besideOf } from './recorded-event.js';
import { Late } from './trouble.js';

/** What the server answered: written now, or the stream is elsewhere (and where, as far as it said). */
type Answer = { readonly written: Appended } | { readonly actual: ExpectedRevision | undefined };

/**
 * Appends through the client's plain append, and tells exactly whether the events were there before.
 *
 * The server's own recognition of repeats is not used. It compares event ids, only when the expected revision lies behind, and its
 * answer does not tell a repeat from a first time. So each try carries ids that no other try has: a repeat then is a wrong expected
 * revision, and the stream shows whether our events stand there.
 */
export function appender(client: EventStoreDBClient, limits: Limits, pages: Pages, uuid: () => string) {
  async function once(request: AppendRequest, deadline: number): Promise<Answer> {
    const { stream, events, expected } = request;
    const last = events.at(-1)!;
    const proposed = events.map(
      (event): BinaryEventData => ({
        id: idOfTry(event.id, uuid()),
        contentType: 'application/octet-stream',
        type: event.type,
        data: event.bytes,
        metadata: { ...besideOf(event) },
      }),
    );
    try {
      const { success, nextExpectedRevision, position } = await client.appendToStream(stream, proposed, {
        expectedRevision: expected === 'no_stream' ? NO_STREAM : BigInt(expected),
        requiresLeader: true,
        deadline,
      });
      // With throwOnAppendFailure=false in the connection string; the revision it gives then is not to be relied on.
      if (!success) return { actual: undefined };
      if (Number(nextExpectedRevision) !== last.revision) {
        throw new HindsightError(
          'ledger_corrupt',
          `${stream} was deleted and written again in EventStoreDB: event ${last.id} of revision ${last.revision} stands at ${nextExpectedRevision}.`,
          { stream, revision: last.revision },
        );
      }
      if (!position) throw new Late('no position in the answer');
      return { written: { position: toPosition(position), revision: last.revision, repeated: false } };
    } catch (error) {
      return refused(error, request);
    }
  }

  /** Why the stream is not as expected: our own events stand there, or others'. */
  async function explain(request: AppendRequest, told: ExpectedRevision | undefined): Promise<Appended> {
    const { stream, events, expected } = request;
    const last = events.at(-1)!;
    const actual = told ?? (await lastRevision(stream));
    // A server that says both has not settled, as after a change of leader; so has one that does not show yet what it counts.
    if (actual === expected) throw new Late('the stream is as expected, but was refused');
    if (actual !== 'no_stream' && actual >= last.revision) {
      const found = await collected(pages.stream(stream, { from: firstRevision(expected), limit: events.length }));
      if (found.length < events.length) throw new Late('the stream does not show yet what was written to it');
      if (found.every((each, index) => each.id === events[index]!.id)) {
        return { position: found.at(-1)!.position, revision: last.revision, repeated: true };
      }
    }
    throw wrongExpectedRevision(stream, expected, actual);
  }

  async function lastRevision(stream: string): Promise<ExpectedRevision> {
    const [last] = await collected(pages.stream(stream, { direction: 'backward', limit: 1 }));
    return last ? last.revision : 'no_stream';
  }

  return async (request: AppendRequest): Promise<Appended> => {
    checkAppend(request);
    const what = `Whether the append to ${request.stream} was written is not known: make it again as it is to find out.`;
    return insist(limits, what, async (deadline) => {
      const answer = await once(request, deadline);
      return 'written' in answer ? answer.written : explain(request, answer.actual);
    });
  };
}

function refused(error: unknown, { stream, events }: AppendRequest): Answer {
  const { type, actualVersion, maxAppendSize } = error as {
    type?: unknown;
    actualVersion?: bigint | 'no_stream';
    maxAppendSize?: number;
  };
  if (type === 'wrong-expected-version') {
    return {
      actual: actualVersion === undefined || actualVersion === 'no_stream' ? 'no_stream' : Number(actualVersion),
    };
  }
  if (type !== 'maximum-append-size-exceeded') throw error;
  const bytes = events.reduce((sum, event) => sum + event.bytes.byteLength, 0);
  throw new HindsightError(
    'append_too_large',
    `The append to ${stream} takes ${bytes} bytes and what stands beside them; this EventStoreDB takes at most ${maxAppendSize} (its MaxAppendSize; leave it at 1 MiB or more).`,
    { bytes, limit: maxAppendSize },
  );
}

/** The event's id with its last 48 bits by chance: an operator still finds the event by what it begins with. */
function idOfTry(eventId: string, uuid: string): string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(eventId) ? eventId.slice(0, 24) + uuid.slice(24) : uuid;
}

async function collected(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

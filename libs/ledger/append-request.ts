import { HindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import { type ExpectedRevision, maxAppendBytes } from './ledger.js';

export interface AppendRequest {
  readonly stream: string;
  readonly events: readonly EncodedEvent[];
  readonly expected: ExpectedRevision;
}

/** What an engine keeps of an event beside its bytes, in SQLite the row and its indexes' entries (ledger.ts, maxAppendBytes). */
const rowBytes = 64;

/** @throws HindsightError append_too_large · internal when the events do not continue the stream from `expected` */
export function checkAppend({ stream, events, expected }: AppendRequest): void {
  if (events.length === 0) throw new HindsightError('internal', `An append to ${stream} holds no events.`);
  let bytes = 0;
  let revision = firstRevision(expected);
  for (const event of events) {
    if (event.stream !== stream || event.revision !== revision) {
      throw new HindsightError(
        'internal',
        `Event ${event.id} is made for ${event.stream} at revision ${event.revision}, but appended to ${stream} at ${revision}.`,
      );
    }
    bytes += event.bytes.byteLength + rowBytes;
    revision += 1;
  }
  if (bytes > maxAppendBytes) {
    throw new HindsightError(
      'append_too_large',
      `The append to ${stream} takes ${bytes} bytes; one append takes at most ${maxAppendBytes}.`,
      { bytes, limit: maxAppendBytes },
    );
  }
}

/** The revision that the first event of an append gets. */
export function firstRevision(expected: ExpectedRevision): number {
  return expected === 'no_stream' ? 0 : expected + 1;
}

export function wrongExpectedRevision(
  stream: string,
  expected: ExpectedRevision,
  actual: ExpectedRevision,
): HindsightError {
  return new HindsightError(
    'wrong_expected_revision',
    `${stream} was expected ${described(expected)}, but is ${described(actual)}.`,
    { stream, expected, actual },
  );
}

function described(revision: ExpectedRevision): string {
  return revision === 'no_stream' ? 'not to exist' : `at revision ${revision}`;
}

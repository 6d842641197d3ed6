import { HindsightError } from '#contract/errors.js';

/** What may pass: the next try may be answered. */
export interface Trouble {
  /** `late`: there is a server, but it did not answer in time or not consistently. */
  readonly kind: 'unreachable' | 'late';
  readonly reason: string;
  readonly cause: unknown;
}

/** No answer within the deadline, or none that fits: asked again. */
export class Late extends Error {
  constructor(message = 'no answer') {
    super(message);
  }
}

export function isLasting(trouble: Trouble | HindsightError): trouble is HindsightError {
  return trouble instanceof HindsightError;
}

/** grpc status codes that say nothing lasting: CANCELLED, UNKNOWN (also "no leader info"), RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE. */
const passing = new Set([1, 2, 8, 13, 14]);

/** Tells what may pass from what will not; an error that the client or the server does not make is a fault of the program. */
export function troubleOf(error: unknown): Trouble | HindsightError {
  if (error instanceof HindsightError) return error;
  if (!(error instanceof Error)) throw error;
  const { type, code } = error as { type?: unknown; code?: unknown };
  const trouble = (kind: Trouble['kind']): Trouble => ({ kind, reason: error.message, cause: error });
  switch (type) {
    case 'deadline-exceeded':
    case 'timeout':
      return trouble('late');
    case 'unavailable':
    case 'cancelled':
    case 'not-leader':
      return trouble('unreachable');
    case 'access-denied':
      return new HindsightError(
        'invalid_config',
        `EventStoreDB refused the user that the connection string names, or none was given: ${error.message || 'access denied'}. The user needs to append to streams named hl.*, and to read them and $all.`,
        {},
        { cause: error },
      );
    case 'stream-deleted':
      return new HindsightError('ledger_corrupt', 'A stream of the ledger was deleted in EventStoreDB.', {
        stream: (error as { streamName?: unknown }).streamName,
      });
  }
  if (error instanceof Late) return trouble('late');
  if (typeof code === 'number' && passing.has(code)) return trouble('unreachable');
  if (isOfConnecting(error)) return trouble('unreachable');
  if (typeof code === 'number') {
    return new HindsightError('unreachable', `EventStoreDB refused the call: ${error.message}.`, {}, { cause: error });
  }
  throw error;
}

/** Errors of the client, of gRPC and of Node's streams that carry no status. */
function isOfConnecting(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return (
    code === 'ERR_STREAM_PREMATURE_CLOSE' || /^(Failed to discover|Channel has been shut down)/.test(error.message)
  );
}

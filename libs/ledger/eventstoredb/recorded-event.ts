import type { RecordedEvent } from '@eventstore/db-client';
import { HindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import { hashAlgorithm } from '#events/hash.js';
import { isTraceparent } from '#events/traceparent.js';
import type { Position, StoredEvent } from '../ledger.js';
import { toPosition } from './position.js';

/** What stands beside an event's bytes. */
interface Beside {
  /** base64url */
  readonly hash: string;
  readonly alg: string;
  /** W3C trace context of the write, for whoever follows it; proves nothing. */
  readonly traceparent?: string;
}

export function besideOf(event: EncodedEvent): Beside {
  const { hash, traceparent } = event;
  return {
    hash: Buffer.from(hash).toString('base64url'),
    alg: hashAlgorithm,
    ...(isTraceparent(traceparent) ? { traceparent } : {}),
  };
}

export function positionOf(recorded: RecordedEvent): Position {
  if (recorded.position) {
    try {
      return toPosition(recorded.position);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new HindsightError(
    'invalid_config',
    'EventStoreDB did not say where an event stands: servers before 22.6 do not. Use 22.10 or later.',
  );
}

/**
 * The event of the stored bytes, which say themselves which event, stream and revision they are.
 * @throws HindsightError ledger_corrupt when the server says otherwise
 */
export function toStoredEvent(recorded: RecordedEvent): StoredEvent {
  const position = positionOf(recorded);
  const { streamId: stream, type } = recorded;
  const revision = Number(recorded.revision);
  const bytes: unknown = recorded.data;
  const beside = recorded.metadata as Partial<Beside> | undefined;
  const written = bytes instanceof Uint8Array ? envelopeIn(bytes) : undefined;
  const isOurs = written?.stream === stream && written.revision === revision && written.type === type;
  if (!isOurs || !(bytes instanceof Uint8Array) || typeof written.id !== 'string' || typeof beside?.hash !== 'string') {
    throw new HindsightError(
      'ledger_corrupt',
      `What stands in ${stream} at revision ${revision} is no event of the ledger, or one of another place.`,
      { position, stream, revision },
    );
  }
  const { hash, traceparent } = beside;
  return {
    position,
    stream,
    revision,
    id: written.id,
    type,
    bytes,
    hash: Buffer.from(hash, 'base64url'),
    ...(isTraceparent(traceparent) ? { traceparent } : {}),
  };
}

function envelopeIn(bytes: Uint8Array): { [field: string]: unknown } | undefined {
  try {
    const found: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return typeof found === 'object' && found !== null ? { ...found } : undefined;
  } catch {
    return undefined;
  }
}

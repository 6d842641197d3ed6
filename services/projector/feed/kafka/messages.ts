import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import { HindsightError } from '#contract/errors.js';
import type { Position, StoredEvent } from '#ledger/ledger.js';
import type { FedEvent, Watermark } from '../feed.js';

/**
 * A message of the events' topic. Key: the stream, for whoever looks with Kafka's tools. Value: an event's stored bytes, in which content
 * is sealed. Headers: `fed`, JSON of what is no content and what only the ledger's order tells; `traceparent`.
 */
export type FedMessage =
  | { readonly kind: 'event'; readonly after: Position | undefined; readonly fed: FedEvent }
  | { readonly kind: 'watermark'; readonly after: Position | undefined; readonly mark: Watermark };

/** The format is part of the kind: a consumer that does not know one stops and says so. */
const eventKind = 'event.1';
const watermarkKind = 'watermark.1';

/** In one header: with one for each, the client took 38 µs to write a message of 1 KB instead of 25. */
interface Fed {
  readonly kind: string;
  readonly position: Position;
  readonly systemTime: string;
  readonly after?: Position;
  /** The place that the ledger was at, where it has a name: a ledger that was put back counts its positions anew. */
  readonly from?: string;
}

interface FedEventHeader extends Fed, Pick<StoredEvent, 'id' | 'type' | 'revision'> {
  /** base64 */
  readonly hash: string;
}

export function eventMessage(
  { event, systemTime }: FedEvent,
  partition: number,
  after: Position | undefined,
  from?: string,
): Message {
  const { bytes, hash, id, position, revision, stream, traceparent, type } = event;
  const fed: FedEventHeader = {
    kind: eventKind,
    position,
    after,
    systemTime,
    id,
    type,
    revision,
    hash: asBuffer(hash).toString('base64'),
    ...(from === undefined ? {} : { from }),
  };
  const headers: IHeaders = { fed: JSON.stringify(fed) };
  if (traceparent !== undefined) headers.traceparent = traceparent;
  return { partition, key: stream, value: asBuffer(bytes), headers };
}

export function watermarkMessage(
  { position, systemTime }: Watermark,
  partition: number,
  after: Position | undefined,
  from?: string,
): Message {
  const fed: Fed = { kind: watermarkKind, position, after, systemTime, ...(from === undefined ? {} : { from }) };
  return { partition, value: null, headers: { fed: JSON.stringify(fed) } };
}

/**
 * @param here the place that the ledger is at; what an earlier release wrote names none
 * @returns undefined for what no relay wrote; `elsewhere` for what was told of the ledger at another place: its positions are none here
 * @throws HindsightError newer_format
 */
export function readMessage(
  { key, value, headers }: KafkaMessage,
  here?: string,
): FedMessage | 'elsewhere' | undefined {
  const fed = readHeader(headers?.fed?.toString());
  if (!fed) return undefined;
  if (here !== undefined && fed.from !== undefined && fed.from !== here) return 'elsewhere';
  const { kind, position, systemTime, after } = fed;
  if (kind === watermarkKind) return { kind: 'watermark', after, mark: { position, systemTime } };
  if (kind !== eventKind) {
    const sentence = `The feed holds a message of kind ${JSON.stringify(kind)}; this release knows ${eventKind} and ${watermarkKind}.`;
    throw new HindsightError('newer_format', sentence, { kind });
  }
  const { id, type, revision, hash } = fed as FedEventHeader;
  if (typeof id !== 'string' || typeof type !== 'string' || typeof hash !== 'string') return undefined;
  const traceparent = headers?.traceparent?.toString();
  const event: StoredEvent = {
    id,
    stream: key?.toString() ?? '',
    revision,
    type,
    bytes: value ?? new Uint8Array(),
    hash: Buffer.from(hash, 'base64'),
    position,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  return { kind: 'event', after, fed: { event, systemTime } };
}

function readHeader(text: string | undefined): Fed | undefined {
  if (text === undefined) return undefined;
  try {
    const fed = JSON.parse(text) as Fed | null;
    return typeof fed?.kind === 'string' && typeof fed.position === 'string' ? fed : undefined;
  } catch {
    return undefined;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

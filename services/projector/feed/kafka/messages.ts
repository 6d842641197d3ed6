import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import { HindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import type { FedEvent, Watermark } from '../feed.js';

/**
 * A message of the events' topic. Key: the stream, for whoever looks with Kafka's tools. Value: an event's stored bytes, in which content
 * is sealed. Headers: what is no content, and what only the ledger's order tells.
 */
export type FedMessage =
  | { readonly kind: 'event'; readonly after: Position | undefined; readonly fed: FedEvent }
  | { readonly kind: 'watermark'; readonly after: Position | undefined; readonly mark: Watermark };

/** The format is part of the kind: a consumer that does not know one stops and says so. */
const eventKind = 'event.1';
const watermarkKind = 'watermark.1';

export function eventMessage({ event, systemTime }: FedEvent, partition: number, after: Position | undefined): Message {
  const { bytes, hash } = event;
  const headers: IHeaders = {
    kind: eventKind,
    position: event.position,
    id: event.id,
    type: event.type,
    revision: String(event.revision),
    hash: asBuffer(hash),
    'system-time': systemTime,
  };
  if (after !== undefined) headers.after = after;
  if (event.traceparent !== undefined) headers.traceparent = event.traceparent;
  return { partition, key: event.stream, value: asBuffer(bytes), headers };
}

export function watermarkMessage(mark: Watermark, partition: number, after: Position | undefined): Message {
  const headers: IHeaders = { kind: watermarkKind, position: mark.position, 'system-time': mark.systemTime };
  if (after !== undefined) headers.after = after;
  return { partition, value: null, headers };
}

/**
 * @returns undefined for what no relay wrote
 * @throws HindsightError newer_format
 */
export function readMessage({ key, value, headers }: KafkaMessage): FedMessage | undefined {
  const header = (name: string) => headers?.[name]?.toString();
  const kind = header('kind');
  const position = header('position');
  const systemTime = header('system-time');
  if (kind === undefined || position === undefined || systemTime === undefined) return undefined;
  const after = header('after');
  if (kind === watermarkKind) return { kind: 'watermark', after, mark: { position, systemTime } };
  if (kind !== eventKind) {
    const sentence = `The feed holds a message of kind ${JSON.stringify(kind)}; this release knows ${eventKind} and ${watermarkKind}.`;
    throw new HindsightError('newer_format', sentence, { kind });
  }
  const [id, type, revision, hash] = [header('id'), header('type'), header('revision'), headers?.hash];
  if (id === undefined || type === undefined || revision === undefined || !Buffer.isBuffer(hash)) return undefined;
  const traceparent = header('traceparent');
  const event = {
    id,
    stream: key?.toString() ?? '',
    revision: Number(revision),
    type,
    bytes: value ?? new Uint8Array(),
    hash,
    position,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  return { kind: 'event', after, fed: { event, systemTime } };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

import { z } from 'zod';
import { hasEnvelopeForm } from './envelope-form.js';
import { envelopeText } from './envelope-text.js';
import { hashAlgorithm, hashedBytes } from './hash.js';
import { sealedBox } from './sealed-box.js';
import { instant } from './version-fields.js';

/**
 * What is stored, hashed and chained: everything but the global position, which the store assigns. Envelope format 1.
 * The hash itself stands beside the bytes, since no text can hold its own hash.
 */
export const envelope = z.strictObject({
  v: z.literal(1),
  hashAlgorithm: z.literal(hashAlgorithm),
  id: z.string(),
  ledger: z.string(),
  bank: z.string(),
  stream: z.string(),
  revision: z.int().min(0),
  type: z.string(),
  schema: z.int().min(1),
  recordedAt: instant,
  /** Authenticated by the server, never taken from a body. */
  principal: z.string(),
  /** The client's claimed name. */
  agent: z.string().optional(),
  session: z.string().optional(),
  task: z.string().optional(),
  step: z.string().optional(),
  tool: z.string().optional(),
  causationId: z.string().optional(),
  correlationId: z.string().optional(),
  /** Keyed hash of the idempotency key, and of the request that came with it. */
  request: z.strictObject({ key: z.string(), print: z.string() }).optional(),
  /** Keyed hashes of the subjects whose secrets the box needs. */
  subjects: z.array(z.string()).optional(),
  /** 0 to 1 */
  trust: z.number().min(0).max(1).optional(),
  /** Hash (base64url) of the event before it in its stream; null for the first. */
  previous: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  box: sealedBox.optional(),
});
export type Envelope = z.infer<typeof envelope>;

/** An event ready to be appended: its canonical bytes and their hash. Never re-serialised afterwards. */
export interface EncodedEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  /** W3C trace context of the write, kept beside the bytes where the ledger has a place for it; says nothing that a reader relies on. */
  readonly traceparent?: string;
}

export function encodeEvent(event: Envelope): EncodedEvent {
  const { id, stream, revision, type } = event;
  const { bytes, hash } = hashedBytes(envelopeText(event));
  return { id, stream, revision, type, bytes, hash };
}

/** @throws ZodError or SyntaxError when the bytes are no envelope of a known format. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  // The schema copies all that it reads: 8 µs of each event that is opened. It is asked where there is something to object to.
  return hasEnvelopeForm(value) ? (value as Envelope) : envelope.parse(value);
}

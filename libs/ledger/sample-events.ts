import { type EncodedEvent, type Envelope, encodeEvent } from '#events/envelope.js';
import { hashAlgorithm } from '#events/hash.js';
import { memoryStream } from '#events/stream-name.js';

/** Events as tests and benches of a ledger need them: valid envelopes without a box. */
export interface SampleStream {
  readonly name: string;
  /** The stream's next event; `padding` bytes of data make it larger. */
  next(options?: { padding?: number; id?: string }): EncodedEvent;
}

let made = 0;

/** An id that no other call in any process gives, in the form of a UUID. */
function sampleId(): string {
  made += 1;
  const hex = `${process.pid.toString(16).padStart(8, '0')}${made.toString(16).padStart(12, '0')}`;
  const random = Math.floor(Math.random() * 0xffff_ffff)
    .toString(16)
    .padStart(8, '0');
  return `${random}-${hex.slice(0, 4)}-7${hex.slice(5, 8)}-8${hex.slice(8, 11)}-${hex.slice(8, 20)}`;
}

export function sampleStream(ledger: string, memoryId = sampleId()): SampleStream {
  const name = memoryStream(ledger, 'b1', memoryId);
  let revision = 0;
  let previous: string | null = null;
  return {
    name,
    next({ padding = 0, id = sampleId() } = {}) {
      const event: Envelope = {
        v: 1,
        hashAlgorithm,
        id,
        ledger,
        bank: 'b1',
        stream: name,
        revision,
        type: 'MemoryForgotten',
        schema: 1,
        recordedAt: new Date(1_790_000_000_000 + revision).toISOString(),
        principal: 'os:tester',
        previous,
        data: { memoryId, padding: 'x'.repeat(padding) },
      };
      const encoded = encodeEvent(event);
      revision += 1;
      previous = Buffer.from(encoded.hash).toString('base64url');
      return encoded;
    },
  };
}

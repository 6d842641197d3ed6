import { randomUUID } from 'node:crypto';
import { type EncodedEvent, encodeEvent } from '#events/envelope.js';
import { hashAlgorithm } from '#events/hash.js';
import { type StreamCategory, streamName } from '#events/stream-name.js';
import type { Appended, Ledger } from '#ledger/ledger.js';

/** An event of a stream of its own; `padding` bytes of data make it larger. */
export function bankEvent(
  ledger: string,
  bank: string,
  options: { category?: StreamCategory; recordedAt?: string; padding?: number; traceparent?: string } = {},
): EncodedEvent {
  const { category = 'memory', recordedAt = new Date().toISOString(), padding = 0, traceparent } = options;
  const id = randomUUID();
  const encoded = encodeEvent({
    v: 1,
    hashAlgorithm,
    id,
    ledger,
    bank,
    stream: streamName({ ledger, bank, category, id }),
    revision: 0,
    type: 'MemoryForgotten',
    schema: 1,
    recordedAt,
    principal: 'os:tester',
    previous: null,
    data: { memoryId: id, padding: 'x'.repeat(padding) },
  });
  return traceparent === undefined ? encoded : { ...encoded, traceparent };
}

export function appendOne(ledger: Ledger, event: EncodedEvent): Promise<Appended> {
  return ledger.append(event.stream, [event], 'no_stream');
}

/** Writes to many banks, so many events at a time, until it is stopped. */
export function startLoad(ledger: Ledger, { banks = 24, every = 10, atOnce = 4 } = {}): { stop(): Promise<number> } {
  let isOver = false;
  let written = 0;
  const done = (async () => {
    while (!isOver) {
      await Promise.all(
        Array.from({ length: atOnce }, () => {
          written += 1;
          return appendOne(ledger, bankEvent(ledger.id, `b${written % banks}`, { padding: written % 400 }));
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await done;
      return written;
    },
  };
}

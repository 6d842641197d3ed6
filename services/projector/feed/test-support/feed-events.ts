import { encodeEvent } from '#events/envelope.js';
import { hashAlgorithm } from '#events/hash.js';
import { memoryStream } from '#events/stream-name.js';
import type { StoredEvent } from '#ledger/ledger.js';
import type { FedEvent } from '../feed.js';

/** Positions as text of one width: 1, 2, … */
export const positionAt = (number: number) => String(number).padStart(12, '0');
const timeAt = (number: number) => new Date(Date.parse('2026-03-01T09:00:00.000Z') + number).toISOString();

/** The `number`th event of a ledger that has no other use, with `padding` bytes of data. */
export function fedEvent(ledger: string, number: number, bank: string, padding = 0): FedEvent {
  const stream = memoryStream(ledger, bank, `m${number}`);
  const encoded = encodeEvent({
    v: 1,
    hashAlgorithm,
    id: `e${number}`,
    ledger,
    bank,
    stream,
    revision: 0,
    type: 'MemoryForgotten',
    schema: 1,
    recordedAt: timeAt(number),
    principal: 'os:tester',
    previous: null,
    data: { memoryId: `m${number}`, padding: 'x'.repeat(padding) },
  });
  const event: StoredEvent = { ...encoded, position: positionAt(number), traceparent: `00-${number}` };
  return { event, systemTime: timeAt(number) };
}

export const markAt = (number: number) => ({ position: positionAt(number), systemTime: timeAt(number) });

import type { Message } from 'kafkajs';
import { bankOfStream } from '#events/stream-name.js';
import type { Position } from '#ledger/ledger.js';
import { partitionOf } from '#views/partition.js';
import type { FedEvent, Watermark } from '../feed.js';
import { eventMessage, watermarkMessage } from './messages.js';

/** What goes to one partition in one request is one piece, which the broker bounds: so many bytes, of which an event's header and key are some. */
const mostBytes = 900 * 1024;
const besideBytes = 768;
/** The client copies the list of a partition's messages for each of them. */
const mostEvents = 2_000;

/** Messages in the ledger's order, in pieces for one request each, and at last the watermark of every partition. Each tells what went before it in its partition. */
export function* flushRequests(
  events: readonly FedEvent[],
  { after, to }: { after: Watermark | undefined; to: Watermark },
  partitions: number,
  from?: string,
): Generator<Message[]> {
  const passed = new Map<number, Position>();
  const before = (partition: number) => passed.get(partition) ?? after?.position;
  let messages: Message[] = [];
  let bytes = new Map<number, number>();
  for (const fed of events) {
    const partition = partitionOf(bankOfStream(fed.event.stream), partitions);
    const length = fed.event.bytes.length + besideBytes;
    const sum = (bytes.get(partition) ?? 0) + length;
    if (messages.length >= mostEvents || (sum > mostBytes && sum > length)) {
      yield messages;
      messages = [];
      bytes = new Map();
    }
    messages.push(eventMessage(fed, partition, before(partition), from));
    bytes.set(partition, (bytes.get(partition) ?? 0) + length);
    passed.set(partition, fed.event.position);
  }
  for (let partition = 0; partition < partitions; partition += 1) {
    messages.push(watermarkMessage(to, partition, before(partition), from));
  }
  yield messages;
}

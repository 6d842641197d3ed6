import { fc, test } from '@fast-check/vitest';
import type { KafkaMessage, Message } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { maxMessageBytes } from '#infra/kafka/topics.js';
import { partitionOf } from '#views/partition.js';
import { fedEvent, markAt, positionAt } from '../test-support/feed-events.js';
import { flushRequests } from './flush-requests.js';
import { type FedMessage, readMessage } from './messages.js';

const partitions = 3;
const banks = ['b0', 'b1', 'b2', 'b3', 'b4', 'b5'];
const sizes = fc.oneof(
  { weight: 9, arbitrary: fc.nat(2_000) },
  { weight: 1, arbitrary: fc.constantFrom(300_000, 767_000) },
);

const readAt = (message: Message, here?: string) => readMessage(message as unknown as KafkaMessage, here);
const read = (message: Message) => readAt(message) as FedMessage;

describe('flushRequests', () => {
  test.prop([fc.array(fc.record({ bank: fc.constantFrom(...banks), size: sizes }), { maxLength: 40 }), fc.boolean()])(
    'keeps each partition in order and within what the broker takes, and lets no message be lost unseen',
    (given, isFirst) => {
      const events = given.map(({ bank, size }, index) => fedEvent('l1', index + 2, bank, size));
      const to = markAt(events.length + 2);
      const requests = [...flushRequests(events, { after: isFirst ? undefined : markAt(1), to }, partitions)];
      for (let partition = 0; partition < partitions; partition += 1) {
        for (const request of requests) {
          const bytes = request
            .filter((message) => message.partition === partition)
            .reduce(
              (sum, { key, value, headers }) =>
                sum + (key?.length ?? 0) + (value?.length ?? 0) + String(headers?.fed).length + 100,
              0,
            );
          expect(bytes).toBeLessThan(maxMessageBytes);
        }
        const messages = requests
          .flat()
          .filter((message) => message.partition === partition)
          .map(read);
        let before = isFirst ? undefined : positionAt(1);
        for (const message of messages) {
          expect(message.after).toBe(before);
          before = message.kind === 'event' ? message.fed.event.position : message.mark.position;
        }
        expect(messages.at(-1)).toMatchObject({ kind: 'watermark', mark: to });
        const ours = events.filter(({ event }) => partitionOf(event.stream.split('.')[2]!, partitions) === partition);
        expect(messages.flatMap((message) => (message.kind === 'event' ? [message.fed.event.id] : []))).toEqual(
          ours.map(({ event }) => event.id),
        );
      }
    },
  );

  it('says where the ledger was: at another place nothing of it counts, and what names none counts everywhere', () => {
    const events = [fedEvent('l1', 2, 'b0', 10)];
    const given = (from?: string) => [...flushRequests(events, { after: undefined, to: markAt(2) }, 1, from)].flat();
    for (const message of given('here')) {
      expect(readAt(message, 'there')).toBe('elsewhere');
      expect(readAt(message, 'here')).toEqual(read(message));
    }
    expect(given().map((message) => readAt(message, 'there'))).toEqual(given().map(read));
    expect(given('here').map(read)).toEqual(given().map(read));
  });
});

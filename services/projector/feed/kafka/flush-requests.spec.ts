import { fc, test } from '@fast-check/vitest';
import type { KafkaMessage, Message } from 'kafkajs';
import { describe, expect } from 'vitest';
import { maxMessageBytes } from '#infra/kafka/topics.js';
import { partitionOf } from '#views/partition.js';
import { fedEvent, markAt, positionAt } from '../test-support/feed-events.js';
import { flushRequests } from './flush-requests.js';
import { readMessage } from './messages.js';

const partitions = 3;
const banks = ['b0', 'b1', 'b2', 'b3', 'b4', 'b5'];
const sizes = fc.oneof(
  { weight: 9, arbitrary: fc.nat(2_000) },
  { weight: 1, arbitrary: fc.constantFrom(300_000, 767_000) },
);

const read = (message: Message) => readMessage(message as unknown as KafkaMessage)!;

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
});

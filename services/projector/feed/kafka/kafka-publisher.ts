import type { Producer, Transaction } from 'kafkajs';
import { HindsightError } from '#contract/errors.js';
import { eventsTopic, relayName } from '#infra/kafka/topics.js';
import type { FedEvent, FeedPublisher, Watermark } from '../feed.js';
import { ensureFeedTopics, type FeedPlace } from './ensure-topics.js';
import { flushRequests } from './flush-requests.js';
import { kafkaClient, lastingTrouble, protocolError, reasonOf } from './kafka-client.js';
import { lastWatermarks } from './last-watermarks.js';

/** ms after which the broker gives up a transaction whose relay is gone and that no other took over from; a flush takes a fraction of it. */
const transactionTimeout = 30_000;

/** The first two: a newer producer has the transactional id. The third: Kafka does not know it, or knows it as another's. */
const superseding = ['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED', 'INVALID_PRODUCER_ID_MAPPING'];

/**
 * The relay's side of the feed, with its topics. Opening it makes the transactions of every other publisher of this ledger fail.
 * After an error it is of no use any more: whether what it was about to publish is there, only a new one finds out.
 * @throws HindsightError unreachable · invalid_config
 */
export async function openKafkaPublisher({ brokers, ledger, partitions, from }: FeedPlace): Promise<FeedPublisher> {
  await ensureFeedTopics({ brokers, ledger, partitions });
  const kafka = kafkaClient(brokers, `hindsight-ledger-${ledger}-relay`);
  const topic = eventsTopic(ledger);
  const producer = kafka.producer({
    transactionalId: relayName(ledger),
    idempotent: true,
    maxInFlightRequests: 1,
    transactionTimeout,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition!,
    // The broker answers CONCURRENT_TRANSACTIONS for a few milliseconds after each commit.
    retry: { initialRetryTime: 4, multiplier: 1.5, maxRetryTime: 500, retries: 16 },
  });
  let isBroken = false;

  async function publish(events: readonly FedEvent[], after: Watermark | undefined, to: Watermark): Promise<void> {
    if (isBroken) throw new HindsightError('internal', 'A publisher that failed was used again.');
    try {
      const transaction = await producer.transaction();
      for (const messages of flushRequests(events, { after, to }, partitions, from)) {
        await transaction.sendBatch({ acks: -1, topicMessages: [{ topic, messages }] });
      }
      await transaction.commit();
    } catch (error) {
      isBroken = true;
      throw publishError(error, ledger, brokers);
    }
  }

  try {
    await producer.connect();
    await fence(producer);
  } catch (error) {
    await producer.disconnect().catch(() => {});
    throw publishError(error, ledger, brokers);
  }
  return {
    partitions,
    async lastWatermark() {
      const marks = await lastWatermarks(kafka, { ledger, partitions, from });
      return marks.reduce((least, mark) =>
        least && mark ? (mark.position < least.position ? mark : least) : undefined,
      );
    },
    publish,
    async forget() {
      const admin = kafka.admin();
      try {
        await admin.connect();
        const ends = await admin.fetchTopicOffsets(topic);
        await admin.deleteTopicRecords({
          topic,
          partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
        });
      } catch (error) {
        throw publishError(error, ledger, brokers);
      } finally {
        await admin.disconnect().catch(() => {});
      }
    },
    async close() {
      isBroken = true;
      await producer.disconnect().catch(() => {});
    },
  };
}

/** A transaction of nothing: its beginning takes the transactional id over. */
async function fence(producer: Producer): Promise<void> {
  const transaction: Transaction = await producer.transaction();
  await transaction.abort();
}

function publishError(error: unknown, ledger: string, brokers: readonly string[]): HindsightError {
  if (error instanceof HindsightError) return error;
  const type = protocolError(error);
  if (superseding.includes(type)) {
    const sentence = `Another relay of the ledger ${ledger} has begun, or Kafka no longer knows this one (Kafka: ${type}).`;
    return new HindsightError('relay_superseded', sentence, { type }, { cause: error });
  }
  const lasting = lastingTrouble(error, `The relay of the ledger ${ledger}`);
  if (lasting) return lasting;
  const sentence = `Kafka at ${brokers.join(', ')} did not take what was published: ${reasonOf(error)}.`;
  return new HindsightError('unreachable', sentence, { type }, { cause: error });
}

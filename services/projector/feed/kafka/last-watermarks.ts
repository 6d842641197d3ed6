import { randomUUID } from 'node:crypto';
import type { Consumer, Kafka } from 'kafkajs';
import { HindsightError } from '#contract/errors.js';
import { eventsTopic, relayName } from '#infra/kafka/topics.js';
import type { Watermark } from '../feed.js';
import type { FeedPlace } from './ensure-topics.js';
import { someTries } from './kafka-client.js';
import { readMessage } from './messages.js';

/** Messages from the end in which a partition's last watermark is looked for first; four times as many when there is none. */
const firstLook = 64;
/** ms for one look into all partitions. */
const patience = 20_000;

interface Reach {
  readonly partition: number;
  readonly low: bigint;
  /** Offset of the next message. */
  readonly end: bigint;
}

/**
 * The last watermark of each partition, of those that were committed and told of the ledger where it is now; undefined where there is none. A relay that died may have left
 * many messages at the end that never came to count.
 */
export async function lastWatermarks(
  kafka: Kafka,
  place: Omit<FeedPlace, 'brokers'>,
): Promise<(Watermark | undefined)[]> {
  const { ledger, partitions } = place;
  const topic = eventsTopic(ledger);
  const found = new Map<number, Watermark>();
  let pending = (await reaches(kafka, topic)).filter(({ low, end }) => end > low);
  for (let look = BigInt(firstLook); pending.length > 0; look *= 4n) {
    await readEnds(kafka, place, pending, look, found);
    pending = pending.filter(({ partition, low, end }) => !found.has(partition) && isWithin(low, end, look));
  }
  return Array.from({ length: partitions }, (_, partition) => found.get(partition));
}

/** Whether there is more before so many messages. */
function isWithin(low: bigint, end: bigint, look: bigint): boolean {
  return end - look > low;
}

async function reaches(kafka: Kafka, topic: string): Promise<Reach[]> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(topic);
    return offsets.map(({ partition, low, high }) => ({ partition, low: BigInt(low), end: BigInt(high) }));
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

/** Reads `look` messages before the ends, of all partitions at once. The client reads as a member of a group only: of one made for this. */
async function readEnds(
  kafka: Kafka,
  { ledger, from }: Omit<FeedPlace, 'brokers'>,
  pending: readonly Reach[],
  look: bigint,
  found: Map<number, Watermark>,
): Promise<void> {
  const topic = eventsTopic(ledger);
  const groupId = `${relayName(ledger)}.resume-${randomUUID()}`;
  const consumer = kafka.consumer({
    groupId,
    maxWaitTimeInMs: 100,
    allowAutoTopicCreation: false,
    retry: { ...someTries, restartOnFailure: async () => false },
  });
  const ends = new Map(pending.map(({ partition, end }) => [partition, end]));
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    const done = untilEnds(consumer, ends);
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        for (const message of batch.messages) {
          const read = readMessage(message, from);
          if (!read || read === 'elsewhere') continue;
          if (ends.has(batch.partition) && read.kind === 'watermark') found.set(batch.partition, read.mark);
        }
      },
    });
    for (const { partition, low, end } of pending) {
      consumer.seek({ topic, partition, offset: String(isWithin(low, end, look) ? end - look : low) });
    }
    await done;
  } finally {
    await consumer.disconnect().catch(() => {});
  }
  await forget(kafka, groupId);
}

/** What was left out (marks of transactions, messages that never came to count) is told by this event only. */
function untilEnds(consumer: Consumer, ends: ReadonlyMap<number, bigint>): Promise<void> {
  const left = new Set(ends.keys());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const sentence = `The ends of the feed's partitions ${[...left].join(', ')} could not be read within ${patience / 1000} s.`;
      reject(new HindsightError('unreachable', sentence));
    }, patience);
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, lastOffset } }) => {
      if (BigInt(lastOffset) + 1n < (ends.get(partition) ?? 0n)) return;
      left.delete(partition);
      if (left.size > 0) return;
      clearTimeout(timer);
      resolve();
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      clearTimeout(timer);
      reject(payload.error);
    });
  });
}

async function forget(kafka: Kafka, groupId: string): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.deleteGroups([groupId]);
  } catch {
    // Kafka forgets an empty group by itself, later.
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

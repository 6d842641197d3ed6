import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { HindsightError } from '#contract/errors.js';
import { eventsTopic, feedTopics } from '#infra/kafka/topics.js';
import { kafkaClient, lastingTrouble, protocolError, reasonOf } from './kafka-client.js';

export interface FeedPlace {
  readonly brokers: readonly string[];
  /** Its id. */
  readonly ledger: string;
  readonly partitions: number;
  /** Where the ledger is kept (Ledger.place): what the feed was told from another place of it is passed over. */
  readonly from?: string | undefined;
}

/** Times and ms between them that a new topic is looked for: a busy broker takes a moment to lead its partitions. */
const looks = 50;
const lookEvery = 100;

/**
 * Makes the topics that are missing, with the broker's own replication factor. What is there is left as it is.
 * @returns names of what was made
 * @throws HindsightError invalid_config when the events' topic has another number of partitions, or rights are missing · unreachable
 */
export async function ensureFeedTopics({ brokers, ledger, partitions }: FeedPlace): Promise<string[]> {
  const admin = kafkaClient(brokers, `hindsight-ledger-${ledger}-topics`).admin();
  try {
    await admin.connect();
    const there = new Set(await admin.listTopics());
    const missing = feedTopics(ledger, partitions).filter(({ name }) => !there.has(name));
    if (missing.length) await create(admin, missing);
    for (let look = 1; missing.length && look < looks && !(await isReady(admin, eventsTopic(ledger))); look += 1) {
      await sleep(lookEvery);
    }
    await checkPartitions(admin, ledger, partitions);
    return missing.map(({ name }) => name);
  } catch (error) {
    throw lastingTrouble(error, 'Whoever makes the topics') ?? unreachable(brokers, error);
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

/**
 * Looks whether the events' topic is there as it should be, and changes nothing.
 * @throws HindsightError invalid_config when it has another number of partitions · unreachable when there is none yet, or no Kafka
 */
export async function checkFeedTopics(kafka: Kafka, ledger: string, partitions: number): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await checkPartitions(admin, ledger, partitions);
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

/** For whoever is connected already; as `checkFeedTopics`. */
export async function checkPartitions(admin: Admin, ledger: string, partitions: number): Promise<void> {
  const topic = eventsTopic(ledger);
  const found = await partitionsOf(admin, topic);
  if (found === partitions) return;
  if (found === 0) {
    throw new HindsightError('unreachable', `Kafka has no topic ${topic} yet: the relay makes it.`, { topic });
  }
  const sentence = `The topic ${topic} has ${found} partitions, and kafkaPartitions is ${partitions}. Both are chosen once: set kafkaPartitions to ${found}, or follow "More partitions" in infra/kafka/README.md.`;
  throw new HindsightError('invalid_config', sentence, { topic, found, expected: partitions });
}

/** Whether its partitions answer. */
async function isReady(admin: Admin, topic: string): Promise<boolean> {
  try {
    return (await admin.fetchTopicOffsets(topic)).length > 0;
  } catch (error) {
    if (lastingTrouble(error, '')) throw error;
    return false;
  }
}

async function partitionsOf(admin: Admin, topic: string): Promise<number> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics[0]?.partitions.length ?? 0;
  } catch (error) {
    if (protocolError(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return 0;
    throw error;
  }
}

async function create(admin: Admin, topics: ReturnType<typeof feedTopics>): Promise<void> {
  try {
    await admin.createTopics({
      waitForLeaders: true,
      topics: topics.map(({ name, partitions, config }) => ({
        topic: name,
        numPartitions: partitions,
        replicationFactor: -1,
        configEntries: Object.entries(config).map(([key, value]) => ({ name: key, value })),
      })),
    });
  } catch (error) {
    // Another relay may have been faster with one of them; whether all is well is looked at next.
    if (lastingTrouble(error, '')) throw error;
  }
}

function unreachable(brokers: readonly string[], cause: unknown): HindsightError {
  const sentence = `Kafka at ${brokers.join(', ')} could not be reached: ${reasonOf(cause)}.`;
  return new HindsightError('unreachable', sentence, { brokers: brokers.join(',') }, { cause });
}

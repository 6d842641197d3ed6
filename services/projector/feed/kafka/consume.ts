import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { eventsTopic, projectionGroup } from '#infra/kafka/topics.js';
import type { FedBatch } from '../feed.js';
import { checkFeedTopics } from './ensure-topics.js';
import { beMember } from './group-member.js';
import type { Waiting } from './join-run.js';
import { type FeedLog, reasonOf } from './kafka-client.js';
import { createLane, type Lane } from './lane.js';
import { readMessage } from './messages.js';

export interface Consuming {
  readonly kafka: Kafka;
  readonly ledger: string;
  readonly partitions: number;
  /** Where the ledger is kept. */
  readonly from?: string | undefined;
  readonly log: FeedLog;
  readonly sessionTimeout: number;
}

/** ms between commits: they spare work after a restart, and are nothing to be exact about, for the views' checkpoints decide. */
const commitEvery = 1_000;

/** Is a member of a projection's group until the signal aborts. */
export async function consume(
  { kafka, ledger, partitions, from, log, sessionTimeout }: Consuming,
  projection: string,
  apply: (batch: FedBatch) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const topic = eventsTopic(ledger);
  const groupId = projectionGroup(ledger, projection);
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const lanes = new Map<number, Lane>();
  const mine = new Set<number>();
  const committed = new Map<number, string>();
  let member: Consumer | undefined;
  let fatal: unknown;

  function laneOf(partition: number): Lane {
    let lane = lanes.get(partition);
    if (!lane) {
      lane = createLane({
        partition,
        apply,
        full: (isFull) => {
          if (mine.has(partition)) pauseOrResume(member, isFull, topic, partition);
        },
        failed: (error, tries) => {
          if (tries === 1 || tries % 20 === 0) {
            log.warn(
              { group: groupId, partition, tries, error: reasonOf(error) },
              'a batch was not applied; it is tried again',
            );
          }
        },
        signal: stopping.signal,
      });
      lanes.set(partition, lane);
    }
    return lane;
  }

  function take({ batch }: EachBatchPayload): void {
    if (!mine.has(batch.partition)) return;
    try {
      laneOf(batch.partition).push(waitingOf(batch, log, groupId, from));
    } catch (error) {
      fatal ??= error;
      stopping.abort(error);
    }
  }

  async function commit(consumer: Consumer): Promise<void> {
    const offsets = [...mine].flatMap((partition) => {
      const offset = lanes.get(partition)?.done;
      return offset === undefined || offset === committed.get(partition) ? [] : [{ topic, partition, offset }];
    });
    if (offsets.length === 0) return;
    await consumer.commitOffsets(offsets);
    for (const { partition, offset } of offsets) committed.set(partition, offset);
  }

  const committing = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(commitEvery, undefined, { signal: stopping.signal }).catch(() => {});
      // A group that is being put together anew takes no commit; the next one holds all that this one would have.
      if (member && !stopping.signal.aborted) await commit(member).catch(() => {});
    }
  })();

  try {
    const membership = {
      kafka,
      groupId,
      topic,
      sessionTimeout,
      log,
      before: () => checkFeedTopics(kafka, ledger, partitions),
      batch: take,
      assigned(given: readonly number[], consumer: Consumer) {
        member = consumer;
        mine.clear();
        committed.clear();
        for (const partition of given) mine.add(partition);
        for (const lane of lanes.values()) lane.clear();
        if (given.length) consumer.resume([{ topic, partitions: [...given] }]);
      },
      lost() {
        member = undefined;
        mine.clear();
        for (const lane of lanes.values()) lane.clear();
      },
      async leaving(consumer: Consumer) {
        if (signal.aborted) await Promise.all([...lanes.values()].map((lane) => lane.idle()));
        await commit(consumer);
      },
    };
    await beMember(membership, stopping.signal);
  } catch (error) {
    fatal ??= error;
  } finally {
    stopping.abort();
    signal.removeEventListener('abort', stop);
    await Promise.all([committing, ...[...lanes.values()].map((lane) => lane.idle())]);
  }
  if (fatal) throw fatal;
}

function waitingOf(batch: EachBatchPayload['batch'], log: FeedLog, group: string, from: string | undefined): Waiting[] {
  const waiting: Waiting[] = [];
  const { messages, partition } = batch;
  for (const [index, message] of messages.entries()) {
    const fed = readMessage(message, from);
    if (fed === 'elsewhere') continue;
    if (!fed) {
      log.warn(
        { group, partition, offset: message.offset },
        'the events topic holds a message that no relay wrote; it is passed over',
      );
      continue;
    }
    // The last offset of what was fetched may be a mark of a transaction, which is no message.
    const last = index === messages.length - 1 ? batch.lastOffset() : message.offset;
    waiting.push({ message: fed, bytes: (message.value?.length ?? 0) + 512, next: String(BigInt(last) + 1n) });
  }
  return waiting;
}

/** A consumer that has ended has no group to pause in, which the client throws for. */
function pauseOrResume(consumer: Consumer | undefined, isFull: boolean, topic: string, partition: number): void {
  try {
    if (isFull) consumer?.pause([{ topic, partitions: [partition] }]);
    else consumer?.resume([{ topic, partitions: [partition] }]);
  } catch {
    // It is about to be replaced, and the next one begins with nothing paused.
  }
}

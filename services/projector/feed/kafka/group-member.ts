import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { complaints, type FeedLog, lastingTrouble, someTries } from './kafka-client.js';
import { stickyAssigner } from './sticky-assigner.js';

export interface Membership {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topic: string;
  /** ms without a heartbeat after which the group gives a member's partitions to others, and for which it waits for all to come back when it is put together anew. */
  readonly sessionTimeout: number;
  readonly log: FeedLog;
  /** Before each joining; what it throws is treated as an outage is. */
  readonly before?: () => Promise<void>;
  /** These partitions are this member's now, whatever they were before. Fetching goes on at the last commit. */
  assigned(partitions: readonly number[], consumer: Consumer): void;
  batch?(payload: EachBatchPayload): void;
  heartbeat?(): void;
  /** No partition is this member's any more. */
  lost(): void;
  /** The last that is done as a member. */
  leaving?(consumer: Consumer): Promise<void>;
}

/** ms that a fetch waits for something to come; also what pausing, leaving and taking part in a rebalance may lag by. */
const longestFetch = 250;
/** ms between heartbeats, at most: their answers tell that the group is put together anew. */
const longestBeat = 1_000;
/** ms without a sign of life after which a consumer is thrown away: it may have stopped without saying so. */
const silence = 90_000;
/** ms that leaving may take before it goes on in the background. */
const farewell = 5_000;

/**
 * Is a member of a consumer group until the signal aborts, through as many consumers of the client as it takes. A consumer that has
 * crashed is not restarted by the client (it would give up for good at errors of other kinds), but replaced.
 * @throws HindsightError invalid_config · newer_format: what waiting does not mend
 */
export async function beMember(membership: Membership, signal: AbortSignal): Promise<void> {
  const { log, groupId } = membership;
  const trouble = complaints(log, { group: groupId });
  for (let tries = 0; !signal.aborted; ) {
    try {
      await membership.before?.();
      const error = await oneConsumer(membership, signal, () => {
        tries = 0;
        trouble.over('the consumer is back');
      });
      if (signal.aborted) return;
      throw error;
    } catch (error) {
      const lasting = lastingTrouble(error, `The consumer group ${groupId}`);
      if (lasting) throw lasting;
      if (!signal.aborted) trouble.tell(error, 'the consumer was lost and is made again');
    }
    tries += 1;
    const wait = Math.min(2000, 50 * 2 ** Math.min(tries, 10)) * (0.5 + Math.random() / 2);
    await sleep(wait, undefined, { signal }).catch(() => {});
  }
}

/** @returns what it crashed of, or why it ended */
async function oneConsumer(membership: Membership, signal: AbortSignal, joined: () => void): Promise<unknown> {
  const { kafka, groupId, topic, sessionTimeout } = membership;
  let held = new Map<number, number>();
  let isOver = false;
  let alive = Date.now();
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout,
    // Nobody has work to end first; one that was killed while it joined would be waited for longer than for a heartbeat.
    rebalanceTimeout: sessionTimeout,
    heartbeatInterval: Math.min(longestBeat, Math.floor(sessionTimeout / 6)),
    maxWaitTimeInMs: longestFetch,
    maxBytesPerPartition: 512 * 1024,
    allowAutoTopicCreation: false,
    metadataMaxAge: 30_000,
    partitionAssigners: [stickyAssigner(topic, () => ({ partitions: held }))],
    retry: { ...someTries, restartOnFailure: async () => false },
  });
  const { events } = consumer;
  const ended = new Promise<unknown>((resolve) => {
    consumer.on(events.CRASH, ({ payload }) => resolve(payload.error));
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
    if (signal.aborted) resolve(signal.reason);
  });
  consumer.on(events.GROUP_JOIN, ({ payload }) => {
    alive = Date.now();
    const partitions = payload.memberAssignment[topic] ?? [];
    held = new Map(partitions.map((partition) => [partition, held.get(partition) ?? Date.now()]));
    if (isOver) return;
    joined();
    membership.assigned(partitions, consumer);
  });
  consumer.on(events.FETCH, () => {
    alive = Date.now();
  });
  consumer.on(events.HEARTBEAT, () => {
    if (!isOver) membership.heartbeat?.();
  });
  let failure: unknown;
  const watch = new AbortController();
  const joining = join(consumer, topic, (payload) => {
    if (!isOver) membership.batch?.(payload);
  }).catch((error: unknown) => {
    failure = error;
    watch.abort();
  });
  const quiet = untilSilent(() => alive, watch.signal);
  try {
    return await Promise.race([ended, quiet.then((error) => failure ?? error)]);
  } finally {
    watch.abort();
    if (!isOver && membership.leaving)
      await within(
        farewell,
        membership.leaving(consumer).catch(() => {}),
      );
    isOver = true;
    membership.lost();
    // A consumer that is told to stop while it joins goes on all the same, and would stay in the group for good.
    await within(
      farewell,
      joining.then(() => consumer.disconnect()).catch(() => {}),
    );
  }
}

async function join(consumer: Consumer, topic: string, batch: (payload: EachBatchPayload) => void): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  // Handed over at once: the client fetches nothing further from a broker before all that it fetched was handled. What is committed, and
  // when, is decided by what was applied.
  await consumer.run({ autoCommit: false, eachBatch: async (payload) => batch(payload) });
}

async function untilSilent(alive: () => number, signal: AbortSignal): Promise<Error> {
  while (!signal.aborted && Date.now() - alive() < silence) {
    await sleep(1000, undefined, { signal, ref: false }).catch(() => {});
  }
  return new Error(`the consumer was silent for ${silence / 1000} s`);
}

async function within(milliseconds: number, done: Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  await Promise.race([done, sleep(milliseconds, undefined, { signal: controller.signal }).catch(() => {})]);
  controller.abort();
}

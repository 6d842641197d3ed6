import { setTimeout as sleep } from 'node:timers/promises';
import { bankOfStream } from '#events/stream-name.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import { partitionOf } from '#views/partition.js';
import type { FedBatch, FedDeadLetter, Feed, FeedPublisher, Watermark } from '../feed/feed.js';
import { systemTimesOf } from '../fold/system-times.js';

/** What a feed may do to its consumers within its port. */
export interface Mischief {
  /** 0 to 1 */
  readonly random: () => number;
  /** How often something already delivered comes again. */
  readonly again: number;
  /** How often batches that follow each other come as one. */
  readonly joined: number;
}

export interface MischievousFeed extends Feed, FeedPublisher {
  readonly letters: FedDeadLetter[];
  /** Forgets all messages but the last ones of each partition. */
  forget(kept?: number): Promise<void>;
}

interface Member {
  readonly apply: (batch: FedBatch) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Group {
  readonly members: Member[];
  /** Next message, by partition. */
  readonly next: number[];
  /** Which partitions are being delivered. */
  readonly owners: (Member | undefined)[];
}

const gentle: Mischief = { random: () => 1, again: 0, joined: 0 };

/** A feed in memory: what several projectors of one test share in Kafka's place. */
export function mischievousFeed(partitions: number, mischief: Mischief = gentle): MischievousFeed {
  const topics: (FedBatch | undefined)[][] = Array.from({ length: partitions }, () => []);
  const groups = new Map<string, Group>();
  const letters: FedDeadLetter[] = [];
  let mark: Watermark | undefined;

  function joinedFrom(topic: readonly (FedBatch | undefined)[], first: number): { batch: FedBatch; next: number } {
    let batch = topic[first]!;
    let next = first + 1;
    while (next < topic.length && mischief.random() < mischief.joined) {
      const { events, to, systemTime } = topic[next++]!;
      batch = { ...batch, events: [...batch.events, ...events], to, systemTime };
    }
    return { batch, next };
  }

  async function deliver(group: Group, member: Member, partition: number): Promise<void> {
    const topic = topics[partition]!;
    const kept = topic.findIndex((batch) => batch !== undefined);
    if (kept < 0) return;
    if (mischief.random() < mischief.again) {
      const again = kept + Math.floor(mischief.random() * (topic.length - kept));
      if (again < group.next[partition]!) await member.apply(joinedFrom(topic, again).batch);
    }
    const first = Math.max(group.next[partition]!, kept);
    if (first >= topic.length) return;
    const { batch, next } = joinedFrom(topic, first);
    await member.apply(batch);
    group.next[partition] = next;
  }

  async function serve(group: Group, partition: number): Promise<void> {
    // Changes hands now and then, and when its member has left.
    const living = group.members.filter(({ signal }) => !signal.aborted);
    const turn = Math.floor(mischief.random() * living.length) % living.length;
    const member = living[(partition + turn) % living.length];
    if (!member || group.owners[partition]) return;
    group.owners[partition] = member;
    try {
      await deliver(group, member, partition);
    } catch {
      await sleep(5);
    } finally {
      group.owners[partition] = undefined;
    }
  }

  return {
    partitions,
    letters,
    async forget(kept = 0) {
      for (const topic of topics) topic.fill(undefined, 0, Math.max(0, topic.length - kept));
    },
    async consume(name, apply, signal) {
      const group = groups.get(name) ?? { members: [], next: topics.map(() => 0), owners: topics.map(() => undefined) };
      groups.set(name, group);
      group.members.push({ apply, signal });
      while (!signal.aborted) {
        await Promise.all(topics.map((_topic, partition) => serve(group, partition)));
        await sleep(1);
      }
      group.members.splice(
        group.members.findIndex((member) => member.signal === signal),
        1,
      );
    },
    async setAside(letter) {
      letters.push(letter);
    },
    lastWatermark: async () => mark,
    async publish(events, after, to) {
      for (const [partition, topic] of topics.entries())
        topic.push({
          partition,
          after: after?.position,
          events: events.filter(({ event }) => partitionOf(bankOfStream(event.stream), partitions) === partition),
          to: to.position,
          systemTime: to.systemTime,
        });
      mark = to;
    },
    close: async () => undefined,
  };
}

/** Publishes what the ledger has more of, as the relay would, in flushes of so many events. */
export async function relayTo(feed: FeedPublisher, ledger: Ledger, flush = 100): Promise<void> {
  let after = await feed.lastWatermark();
  while (true) {
    const events: StoredEvent[] = [];
    for await (const event of ledger.readAll({ ...(after ? { after: after.position } : {}), limit: flush }))
      events.push(event);
    if (events.length === 0) return;
    const times = systemTimesOf(after?.systemTime ?? '', events, () => undefined);
    const to = { position: events.at(-1)!.position, systemTime: times.end };
    await feed.publish(
      events.map((event) => ({ event, systemTime: times.at(event.position) })),
      after,
      to,
    );
    after = to;
  }
}

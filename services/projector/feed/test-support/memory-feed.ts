import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import { bankOfStream } from '#events/stream-name.js';
import type { Position } from '#ledger/ledger.js';
import { partitionOf } from '#views/partition.js';
import type { FedBatch, FedDeadLetter, FedEvent, Feed, FeedPublisher, Watermark } from '../feed.js';

/** A feed for tests, within one process: it passes feed.contract.ts as the one over Kafka does. */
export interface MemoryFeed {
  readonly feed: Feed;
  readonly letters: readonly FedDeadLetter[];
  openPublisher(): Promise<FeedPublisher>;
  /** Forgets everything but who consumes, as Kafka does when its data is lost. */
  wipe(): void;
}

/** ms before a batch that was rejected is given again */
const pause = 10;

interface Member {
  readonly apply: (batch: FedBatch) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Group {
  readonly members: Member[];
  /** By partition: how many batches were applied. */
  readonly offsets: number[];
  readonly busy: Set<number>;
}

export function createMemoryFeed(partitions: number): MemoryFeed {
  let logs: FedBatch[][] = Array.from({ length: partitions }, () => []);
  let marks: (Watermark | undefined)[] = Array.from({ length: partitions }, () => undefined);
  const letters: FedDeadLetter[] = [];
  const groups = new Map<string, Group>();
  const closing = new AbortController();
  const applying = new Set<Promise<void>>();
  let epoch = 0;

  function deliver(): void {
    for (const group of groups.values()) {
      for (let partition = 0; partition < partitions; partition += 1) {
        const member = group.members[partition % Math.max(1, group.members.length)];
        if (!member || group.busy.has(partition) || group.offsets[partition]! >= logs[partition]!.length) continue;
        group.busy.add(partition);
        const one = deliverOne(group, partition, member).finally(() => {
          applying.delete(one);
          group.busy.delete(partition);
          deliver();
        });
        applying.add(one);
      }
    }
  }

  async function deliverOne(group: Group, partition: number, { apply, signal }: Member): Promise<void> {
    const batch = logs[partition]![group.offsets[partition]!]!;
    try {
      await apply(batch);
      if (logs[partition]!.includes(batch)) group.offsets[partition]! += 1;
    } catch {
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  const feed: Feed = {
    partitions,
    async consume(name, apply, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      const group = groups.get(name) ?? { members: [], offsets: logs.map(() => 0), busy: new Set() };
      groups.set(name, group);
      const member = { apply, signal: either };
      if (either.aborted) return;
      group.members.push(member);
      deliver();
      await new Promise((resolve) => either.addEventListener('abort', resolve, { once: true }));
      group.members.splice(group.members.indexOf(member), 1);
      await Promise.all(applying);
      deliver();
    },
    async setAside(letter) {
      letters.push(letter);
    },
    async close() {
      closing.abort();
      await Promise.all(applying);
    },
  };

  async function openPublisher(): Promise<FeedPublisher> {
    epoch += 1;
    const mine = epoch;
    return {
      partitions,
      lastWatermark: async () =>
        marks.reduce((least, mark) =>
          least && mark && mark.position >= least.position ? least : mark && least && mark,
        ),
      async publish(events, after, to) {
        if (mine !== epoch) throw new HindsightError('relay_superseded', 'Another publisher has begun.');
        for (const [partition, batch] of batchesOf(events, after, to, partitions).entries()) {
          logs[partition]!.push(batch);
          marks[partition] = to;
        }
        deliver();
      },
      async forget() {
        logs = logs.map(() => []);
        for (const group of groups.values()) group.offsets.fill(0);
      },
      close: async () => {},
    };
  }

  return {
    feed,
    letters,
    openPublisher,
    wipe() {
      logs = logs.map(() => []);
      marks = marks.map(() => undefined);
      for (const group of groups.values()) group.offsets.fill(0);
    },
  };
}

function batchesOf(
  events: readonly FedEvent[],
  after: Watermark | undefined,
  to: Watermark,
  partitions: number,
): FedBatch[] {
  const position: Position | undefined = after?.position;
  return Array.from({ length: partitions }, (_, partition) => ({
    partition,
    after: position,
    events: events.filter(({ event }) => partitionOf(bankOfStream(event.stream), partitions) === partition),
    to: to.position,
    systemTime: to.systemTime,
  }));
}

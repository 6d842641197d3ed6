import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { partitionOf } from '#views/partition.js';
import type { FedBatch, FedEvent, Feed, FeedPublisher } from './feed.js';
import { fedEvent, markAt, positionAt } from './test-support/feed-events.js';

export interface FeedUnderTest {
  readonly ledger: string;
  /** Another process's view of the same feed. */
  open(): Feed;
  openPublisher(): Promise<FeedPublisher>;
  close(): Promise<void>;
}

const partitions = 4;
/** Two banks of each partition. */
const banks = banksOf(2);

/** What every feed does. */
export function feedContract(make: (partitions: number) => Promise<FeedUnderTest>): void {
  let feed: FeedUnderTest;
  let stopping: AbortController;
  let running: Promise<void>[];
  const publishers: FeedPublisher[] = [];

  beforeEach(async () => {
    feed = await make(partitions);
    stopping = new AbortController();
    running = [];
  });

  afterEach(async () => {
    stopping.abort();
    await Promise.all(running);
    for (const each of publishers.splice(0)) await each.close();
    await feed.close();
  });

  async function publisher(): Promise<FeedPublisher> {
    const opened = await feed.openPublisher();
    publishers.push(opened);
    return opened;
  }

  /** Consumes until the test's end; `seen` fills with what was applied. */
  function consumer(
    group: string,
    apply: (batch: FedBatch) => Promise<void> = async () => {},
    signal = stopping.signal,
  ) {
    const seen: FedBatch[] = [];
    const done = feed.open().consume(
      group,
      async (batch) => {
        await apply(batch);
        seen.push(batch);
      },
      signal,
    );
    running.push(done);
    return { seen, done };
  }

  const event = (number: number) => fedEvent(feed.ledger, number, banks[number % banks.length]!);
  const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

  it('gives nothing of what was taken away to whoever comes later, and all that is published then', async () => {
    const relay = await publisher();
    const early = consumer('early');
    await relay.publish(events(1, 10), undefined, markAt(10));
    await until(() => passed(early.seen, positionAt(10)));
    await relay.forget();
    await relay.publish(events(1, 4), undefined, markAt(4));
    const { seen } = consumer('late');
    await until(() => passed(seen, positionAt(4)));
    await relay.publish(events(5, 6), markAt(4), markAt(6));
    await until(() => passed(seen, positionAt(6)));
    expect(appliedOnce(seen).flat().map(plain)).toHaveLength(6);
    expect(seen.every(({ to }) => to <= positionAt(6))).toBe(true);
  });

  it('gives back each event as it was published, each partition in the ledger’s order, without a gap', async () => {
    const relay = await publisher();
    const { seen } = consumer('all');
    await relay.publish(events(1, 40), undefined, markAt(40));
    await relay.publish(events(41, 60), markAt(40), markAt(62));
    await until(() => passed(seen, positionAt(62)));
    const applied = appliedOnce(seen);
    expect(applied.flat().sort(byPosition).map(plain)).toEqual(events(1, 60).map(plain));
    for (const [partition, each] of applied.entries()) {
      expect(each.map(({ event: { position } }) => position)).toEqual(
        each.map(({ event: { position } }) => position).sort(),
      );
      for (const {
        event: { stream },
      } of each)
        expect(partitionOf(stream.split('.')[2]!, partitions)).toBe(partition);
      expect(seen.findLast((batch) => batch.partition === partition)?.systemTime).toBe(markAt(62).systemTime);
    }
  });

  it('tells every partition how far the relay has come, and finds it again', async () => {
    const relay = await publisher();
    expect(await relay.lastWatermark()).toBeUndefined();
    const { seen } = consumer('all');
    await relay.publish([event(1)], undefined, markAt(1));
    await relay.publish([], markAt(1), markAt(9));
    await until(() => passed(seen, positionAt(9)));
    expect(await (await publisher()).lastWatermark()).toEqual(markAt(9));
  });

  it('gives every group everything', async () => {
    const relay = await publisher();
    const one = consumer('one');
    await relay.publish(events(1, 10), undefined, markAt(10));
    const other = consumer('other');
    await until(() => passed(one.seen, positionAt(10)) && passed(other.seen, positionAt(10)));
    for (const { seen } of [one, other]) expect(appliedOnce(seen).flat().length).toBe(10);
  });

  it('spreads the partitions over the members of a group, and goes on when one leaves', async () => {
    const relay = await publisher();
    const leaving = new AbortController();
    const one = consumer('shared');
    const other = consumer('shared', undefined, leaving.signal);
    let number = 0;
    await until(async () => {
      number += 1;
      await relay.publish([event(number)], number === 1 ? undefined : markAt(number - 1), markAt(number));
      return one.seen.length > 0 && other.seen.length > 0;
    });
    leaving.abort();
    await other.done;
    await relay.publish(events(number + 1, number + 20), markAt(number), markAt(number + 20));
    const all = () => [...one.seen, ...other.seen];
    await until(() => passed(all(), positionAt(number + 20)));
    const delivered = new Set(all().flatMap((batch) => batch.events.map((each) => each.event.id)));
    expect(delivered.size).toBe(number + 20);
  });

  it('gives a batch again that was rejected, while the other partitions go on', async () => {
    const relay = await publisher();
    const refused = partitionOf(banks[0]!, partitions);
    let isRefusing = true;
    let tries = 0;
    const { seen } = consumer('stubborn', async ({ partition }) => {
      if (partition !== refused || !isRefusing) return;
      tries += 1;
      throw new Error('not now');
    });
    await relay.publish(events(1, 16), undefined, markAt(16));
    const others = Array.from({ length: partitions }, (_, partition) => partition).filter((each) => each !== refused);
    await until(() => tries > 2 && others.every((each) => hasPassed(seen, each, positionAt(16))));
    expect(seen.some(({ partition }) => partition === refused)).toBe(false);
    isRefusing = false;
    await until(() => passed(seen, positionAt(16)));
    expect(appliedOnce(seen).flat().length).toBe(16);
  });

  it('goes on after what was applied, and begins at the beginning with a new group', async () => {
    const relay = await publisher();
    const first = new AbortController();
    const before = consumer('again', undefined, first.signal);
    await relay.publish(events(1, 8), undefined, markAt(8));
    await until(() => passed(before.seen, positionAt(8)));
    first.abort();
    await before.done;
    await relay.publish(events(9, 16), markAt(8), markAt(16));
    const after = consumer('again');
    await until(() => passed(after.seen, positionAt(16)));
    const delivered = new Set(after.seen.flatMap((batch) => batch.events.map((each) => each.event.id)));
    expect([...delivered]).toEqual(expect.arrayContaining(events(9, 16).map((each) => each.event.id)));
    const fresh = consumer('fresh');
    await until(() => passed(fresh.seen, positionAt(16)));
    expect(appliedOnce(fresh.seen).flat().length).toBe(16);
  });

  it('waits for what is being applied before it leaves', async () => {
    const relay = await publisher();
    const leaving = new AbortController();
    let begun = 0;
    let ended = 0;
    const slow = consumer(
      'slow',
      async () => {
        begun += 1;
        await sleep(200);
        ended += 1;
      },
      leaving.signal,
    );
    await relay.publish(events(1, 8), undefined, markAt(8));
    await until(() => begun > 0);
    leaving.abort();
    await slow.done;
    expect(ended).toBe(begun);
  });

  it('refuses a publisher that another has taken over from, and shows nothing of what it was about to publish', async () => {
    const older = await publisher();
    await older.publish([event(1)], undefined, markAt(1));
    const newer = await publisher();
    await expect(older.publish([event(2)], markAt(1), markAt(2))).rejects.toMatchObject({ code: 'relay_superseded' });
    await newer.publish([event(3)], markAt(1), markAt(3));
    const { seen } = consumer('all');
    await until(() => passed(seen, positionAt(3)));
    expect(
      appliedOnce(seen)
        .flat()
        .map((each) => each.event.id)
        .sort(),
    ).toEqual(['e1', 'e3']);
  });

  it('carries events as large as an append may be', async () => {
    const relay = await publisher();
    const { seen } = consumer('large');
    const large = [1, 2, 3].map((number) => fedEvent(feed.ledger, number, banks[0]!, 768 * 1024 - 1200));
    await relay.publish(large, undefined, markAt(3));
    await until(() => passed(seen, positionAt(3)));
    expect(appliedOnce(seen).flat().map(plain)).toEqual(large.map(plain));
  });

  it('takes dead letters', async () => {
    await publisher();
    const letter = {
      projection: 'memories',
      generation: 1,
      position: positionAt(1),
      stream: 's',
      eventId: 'e1',
      type: 'T',
      reason: 'r',
      at: 'now',
    };
    await expect(feed.open().setAside(letter)).resolves.toBeUndefined();
  });
}

/** Banks, so many of each partition, partition by partition in turn. */
function banksOf(each: number): string[] {
  const found = Array.from({ length: partitions }, (): string[] => []);
  for (let number = 0; found.some((names) => names.length < each); number += 1) {
    const names = found[partitionOf(`b${number}`, partitions)]!;
    if (names.length < each) names.push(`b${number}`);
  }
  return Array.from({ length: each }, (_, index) => found.map((names) => names[index]!)).flat();
}

const byPosition = (one: FedEvent, other: FedEvent) => (one.event.position < other.event.position ? -1 : 1);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const plain = ({ event, systemTime }: FedEvent) => ({
  ...event,
  bytes: hex(event.bytes),
  hash: hex(event.hash),
  systemTime,
});

function hasPassed(seen: readonly FedBatch[], partition: number, position: string): boolean {
  return seen.some((batch) => batch.partition === partition && batch.to >= position);
}

function passed(seen: readonly FedBatch[], position: string): boolean {
  return Array.from({ length: partitions }, (_, partition) => partition).every((each) =>
    hasPassed(seen, each, position),
  );
}

/** What a consumer that keeps a checkpoint has applied, by partition. @throws Error at a gap, as none may be where nothing was lost */
export function appliedOnce(seen: readonly FedBatch[], count = partitions): FedEvent[][] {
  const applied = Array.from({ length: count }, (): FedEvent[] => []);
  const checkpoints = new Map<number, string>();
  for (const { partition, after, events, to } of seen) {
    const checkpoint = checkpoints.get(partition) ?? '';
    if ((after ?? '') > checkpoint) throw new Error(`partition ${partition}: a gap between ${checkpoint} and ${after}`);
    for (const fed of events) if (fed.event.position > checkpoint) applied[partition]!.push(fed);
    if (to > checkpoint) checkpoints.set(partition, to);
  }
  return applied;
}

export async function until(isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It was not so within ${ms} ms.`);
    await sleep(20);
  }
}

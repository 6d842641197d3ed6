import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventsTopic, feedTopics, relayName } from '#infra/kafka/topics.js';
import { engine } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { partitionOf } from '#views/partition.js';
import { until } from '../feed.contract.js';
import type { FedBatch } from '../feed.js';
import { fedEvent, markAt, positionAt } from '../test-support/feed-events.js';
import { ensureFeedTopics } from './ensure-topics.js';
import { openKafkaFeed } from './kafka-feed.js';
import { openKafkaPublisher } from './kafka-publisher.js';
import { eventMessage } from './messages.js';

const partitions = 2;
const bank = ['b0', 'b1', 'b2', 'b3'].find((each) => partitionOf(each, partitions) === 0)!;
const otherBank = ['b0', 'b1', 'b2', 'b3'].find((each) => partitionOf(each, partitions) === 1)!;

withEngine('kafka')('the feed over Kafka, when things go wrong', () => {
  let kafka: Kafka;
  let place: { brokers: string[]; ledger: string; partitions: number };
  let stopping: AbortController;
  let warnings: object[];
  const running: Promise<unknown>[] = [];
  const open: Producer[] = [];
  const log = { info() {}, warn: (fields: object, sentence: string) => void warnings.push({ ...fields, sentence }) };

  beforeEach(() => {
    kafka = new Kafka({ brokers: [engine('kafka')], logLevel: logLevel.NOTHING });
    place = { brokers: [engine('kafka')], ledger: randomBytes(8).toString('hex'), partitions };
    stopping = new AbortController();
    warnings = [];
  });
  afterEach(async () => {
    stopping.abort();
    await Promise.all(running.splice(0));
    for (const producer of open.splice(0)) await producer.disconnect();
  });

  const event = (number: number, of = bank) => fedEvent(place.ledger, number, of);

  async function producer(transactionalId?: string): Promise<Producer> {
    const made = kafka.producer({
      ...(transactionalId === undefined ? {} : { transactionalId, idempotent: true, maxInFlightRequests: 1 }),
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition!,
    });
    open.push(made);
    await made.connect();
    return made;
  }

  function consumed(
    apply: (batch: FedBatch) => Promise<void> = async () => {},
    { group = 'all', sessionTimeout = 6_000, from }: { group?: string; sessionTimeout?: number; from?: string } = {},
  ) {
    const seen: FedBatch[] = [];
    const feed = openKafkaFeed({ ...place, from, log, sessionTimeout });
    const leaving = new AbortController();
    const consuming = feed.consume(
      group,
      async (batch) => {
        await apply(batch);
        seen.push(batch);
      },
      AbortSignal.any([stopping.signal, leaving.signal]),
    );
    const done = consuming.finally(() => feed.close());
    running.push(done);
    async function leave(): Promise<void> {
      leaving.abort();
      await done;
    }
    return { seen, leave };
  }

  const ids = (seen: readonly FedBatch[]) => seen.flatMap(({ events }) => events.map(({ event: { id } }) => id));
  const passed = (seen: readonly FedBatch[], number: number) =>
    [0, 1].every((each) => seen.some(({ partition, to }) => partition === each && to >= positionAt(number)));

  it('makes the topics with the settings that are written down, and only those that are missing', async () => {
    expect(await ensureFeedTopics(place)).toEqual(feedTopics(place.ledger, partitions).map(({ name }) => name));
    expect(await ensureFeedTopics(place)).toEqual([]);
    const admin = kafka.admin();
    await admin.connect();
    const topics = feedTopics(place.ledger, partitions);
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: topics.map(({ name, config }) => ({ type: 2, name, configNames: Object.keys(config) })),
    });
    for (const { name, config } of topics) {
      const found = resources.find(({ resourceName }) => resourceName === name)!;
      expect(Object.fromEntries(found.configEntries.map((each) => [each.configName, each.configValue]))).toEqual(
        config,
      );
    }
    await admin.disconnect();
  });

  it('aborts what another publisher was in the middle of, and refuses the rest of it', async () => {
    await (await openKafkaPublisher(place)).close();
    const zombie = await (await producer(relayName(place.ledger))).transaction();
    const topic = eventsTopic(place.ledger);
    await zombie.send({ topic, messages: [eventMessage(event(1), 0, undefined)] });
    const relay = await openKafkaPublisher(place);
    await expect(zombie.send({ topic, messages: [eventMessage(event(2), 0, undefined)] })).rejects.toThrow();
    await expect(zombie.commit()).rejects.toThrow();
    await relay.publish([event(3)], undefined, markAt(3));
    const { seen } = consumed();
    await until(() => passed(seen, 3));
    expect(ids(seen)).toEqual(['e3']);
    await relay.close();
  });

  it('finds the last watermark behind many messages that never came to count', async () => {
    const relay = await openKafkaPublisher(place);
    await relay.publish([event(1), event(2, otherBank)], undefined, markAt(2));
    const stray = await producer(`${place.ledger}-stray`);
    for (let round = 0; round < 3; round += 1) {
      const transaction = await stray.transaction();
      const messages = Array.from({ length: 200 }, (_, index) =>
        eventMessage(event(100 + index), index % 2, undefined),
      );
      await transaction.send({ topic: eventsTopic(place.ledger), messages });
      await transaction.abort();
    }
    expect(await relay.lastWatermark()).toEqual(markAt(2));
    await relay.close();
  });

  it('keeps what was told of the ledger at another place from whoever follows it where it is now', async () => {
    const there = await openKafkaPublisher({ ...place, from: 'lost' });
    await there.publish([event(1), event(2), event(8)], undefined, markAt(8));
    await there.close();
    const here = await openKafkaPublisher({ ...place, from: 'restored' });
    expect(await here.lastWatermark()).toBeUndefined();
    await here.publish([event(1), event(3)], undefined, markAt(3));
    await here.publish([event(9)], markAt(3), markAt(9));
    expect(await here.lastWatermark()).toEqual(markAt(9));
    const { seen } = consumed(undefined, { from: 'restored' });
    await until(() => passed(seen, 9));
    expect(ids(seen)).toEqual(['e1', 'e3', 'e9']);
    await here.close();
  });

  it('shows a gap where Kafka has deleted what a group had not read yet', async () => {
    const relay = await openKafkaPublisher(place);
    await relay.publish([event(1)], undefined, markAt(1));
    const before = consumed();
    await until(() => passed(before.seen, 1));
    await before.leave();
    await relay.publish([event(2)], markAt(1), markAt(2));
    await relay.publish([event(3)], markAt(2), markAt(3));
    const admin = kafka.admin();
    await admin.connect();
    const [first] = (await admin.fetchTopicOffsets(eventsTopic(place.ledger))).filter(
      ({ partition }) => partition === 0,
    );
    // The last flush: an event, its watermark and the transaction's mark.
    const offset = String(BigInt(first!.high) - 3n);
    await admin.deleteTopicRecords({ topic: eventsTopic(place.ledger), partitions: [{ partition: 0, offset }] });
    await admin.disconnect();
    const after = consumed();
    await until(() => passed(after.seen, 3));
    expect(after.seen.find(({ partition }) => partition === 0)).toMatchObject({ after: positionAt(2) });
    await relay.close();
  });

  it('keeps its partitions while one of them takes many times the session, and the others go on', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const relay = await openKafkaPublisher(place);
    let begun = 0;
    const slow = consumed(async ({ partition }) => {
      if (partition !== 0) return;
      begun += 1;
      await gate;
    });
    await relay.publish([event(1), event(2, otherBank)], undefined, markAt(2));
    await until(() => begun === 1);
    let last = 2;
    for (const end = Date.now() + 15_000; Date.now() < end; last += 1) {
      await relay.publish([event(last + 1, otherBank)], markAt(last), markAt(last + 1));
      await sleep(100);
    }
    await until(() => slow.seen.some(({ partition, to }) => partition === 1 && to >= positionAt(last)));
    expect(begun).toBe(1);
    open();
    await until(() => passed(slow.seen, last));
    expect(warnings.filter((each) => 'error' in each && /lost/.test(JSON.stringify(each)))).toEqual([]);
    await relay.close();
  });

  it('goes on when its topics were deleted and made again', async () => {
    const before = await openKafkaPublisher(place);
    const { seen } = consumed();
    await before.publish([event(1), event(2, otherBank)], undefined, markAt(2));
    await until(() => passed(seen, 2));
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: feedTopics(place.ledger, partitions).map(({ name }) => name) });
    await admin.disconnect();
    await expect(before.publish([event(3)], markAt(2), markAt(3))).rejects.toMatchObject({ code: 'unreachable' });
    await before.close();
    const after = await openKafkaPublisher(place);
    expect(await after.lastWatermark()).toBeUndefined();
    await after.publish([event(1), event(2, otherBank), event(3)], undefined, markAt(3));
    await until(() => passed(seen, 3));
    expect(ids(seen)).toContain('e3');
    await after.close();
  });

  it('passes over what no relay wrote, and says so', async () => {
    const relay = await openKafkaPublisher(place);
    await (await producer()).send({ topic: eventsTopic(place.ledger), messages: [{ partition: 0, value: 'stray' }] });
    await relay.publish([event(1)], undefined, markAt(1));
    const { seen } = consumed();
    await until(() => passed(seen, 1));
    expect(ids(seen)).toEqual(['e1']);
    expect(JSON.stringify(warnings)).toContain('no relay wrote');
    await relay.close();
  });

  it('stops at a message that only a newer release knows', async () => {
    const relay = await openKafkaPublisher(place);
    const headers = { fed: JSON.stringify({ kind: 'event.2', position: positionAt(1), systemTime: '' }) };
    await (await producer()).send({
      topic: eventsTopic(place.ledger),
      messages: [{ partition: 0, value: 'x', headers }],
    });
    const feed = openKafkaFeed({ ...place, log });
    await expect(feed.consume('all', async () => {}, stopping.signal)).rejects.toMatchObject({ code: 'newer_format' });
    await feed.close();
    await relay.close();
  });
});

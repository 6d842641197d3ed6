import { setTimeout as sleep } from 'node:timers/promises';
import { binaryEvent, EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { Kafka, type KafkaMessage, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withOwnEngine } from '#test/engines/with-engine.js';
import { badDay, printDays, recovered } from './aftermath.js';
import { type ChaosStack, onDatabase, startChaosStack } from './chaos-stack.js';

withOwnEngine(
  'postgres',
  'redis',
  'kafka',
)('a feed that misbehaves', () => {
  let stack: ChaosStack;
  let token: string;
  beforeAll(async () => {
    stack = await startChaosStack({ services: { ingest: 1, relay: 1, projector: 1, query: 1 } });
    token = await stack.token();
  });
  afterAll(async () => {
    printDays();
    await stack?.close();
  });

  it('brings messages twice, and late', async () => {
    await badDay(stack, token, 'messages twice and late', async () => {
      await sleep(1_000);
      expect(await repeatMessages(stack.engines.kafka.brokers)).toBeGreaterThan(20);
      await sleep(1_000);
    });
  });

  it('brings an event that cannot be read: it is set aside by name, and the rest goes on', async () => {
    const { load } = await badDay(stack, token, 'before the poison', async () => undefined);
    const eventId = await poison(stack);
    const after = await badDay(stack, token, 'a poison event', async () => undefined, {
      check: false,
      readable: false,
    });
    await recovered(stack, token, { acknowledged: new Set([...load.acknowledged, ...after.load.acknowledged]) });
    const letters = await onDatabase(stack.databases.viewsAdminUrl, [
      'SELECT DISTINCT event_id, type, reason FROM hindsight.hl_dead_letters',
    ]);
    expect(letters).toMatchObject([{ event_id: eventId, type: 'MemoryRecorded' }]);
    const verified = await stack.command(['verify']);
    expect(verified.code, verified.stdout).toBe(1);
    expect(verified.stdout).toContain(eventId);
  });
});

/** Sends what the events' topic holds a second time, from its beginning, behind what is there. */
async function repeatMessages(brokers: string): Promise<number> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const topic = (await admin.listTopics()).find((name) => name.endsWith('.events'))!;
  await admin.disconnect();
  const seen: { partition: number; message: KafkaMessage }[] = [];
  const consumer = kafka.consumer({ groupId: `repeat-${Date.now()}`, maxWaitTimeInMs: 250 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage: async ({ partition, message }) => void seen.push({ partition, message }) });
  // The load goes on writing: what came in this time is enough.
  await sleep(4_000);
  await consumer.disconnect();
  const producer = kafka.producer();
  await producer.connect();
  for (const { partition, message } of [...seen, ...seen.slice(0, 50)])
    await producer.send({
      topic,
      messages: [{ partition, key: message.key, value: message.value, headers: message.headers }],
    });
  await producer.disconnect();
  return seen.length;
}

/** An event in a stream of its own whose bytes are not those that were hashed. */
async function poison(stack: ChaosStack): Promise<string> {
  const client = EventStoreDBClient.connectionString(stack.env.HINDSIGHT_LEDGER_EVENTSTORE_URL!);
  try {
    for await (const { event } of client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 500 })) {
      if (event?.type !== 'MemoryRecorded') continue;
      const envelope = JSON.parse(Buffer.from(event.data as Uint8Array).toString('utf8')) as Record<string, unknown>;
      const stream = `${event.streamId.slice(0, -4)}dead`;
      const id = `${String(envelope.id).slice(0, -4)}dead`;
      const data = Buffer.from(JSON.stringify({ ...envelope, id, stream, revision: 0, previous: null }));
      await client.appendToStream(
        stream,
        binaryEvent({ type: event.type, data, metadata: event.metadata as Record<string, unknown> }),
        { expectedRevision: NO_STREAM },
      );
      return id;
    }
  } finally {
    await client.dispose();
  }
  throw new Error('There is no event to make a poisonous one of.');
}

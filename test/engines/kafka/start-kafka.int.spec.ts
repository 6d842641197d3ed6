import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withOwnEngine } from '../with-engine.js';
import { type KafkaEngine, startKafka } from './start-kafka.js';

withOwnEngine('kafka')('a Kafka of a test', () => {
  let kafka: KafkaEngine;
  let client: Kafka;
  beforeAll(async () => {
    kafka = await startKafka();
    const retry = { initialRetryTime: 100, maxRetryTime: 1000, retries: 60 };
    client = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING, retry });
  });
  afterAll(() => kafka?.remove());

  async function send(topic: string, ...values: readonly string[]): Promise<void> {
    const producer = client.producer();
    await producer.connect();
    await producer.send({ topic, acks: -1, messages: values.map((value) => ({ value })) });
    await producer.disconnect();
  }

  async function received(topic: string, count: number): Promise<readonly string[]> {
    const consumer = client.consumer({ groupId: `of-${topic}`, maxWaitTimeInMs: 250 });
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    const values: string[] = [];
    await new Promise<void>((resolve) => {
      consumer.run({
        eachMessage: async ({ message }) => {
          values.push(`${message.value}`);
          if (values.length === count) resolve();
        },
      });
    });
    await consumer.disconnect();
    return values;
  }

  async function topics(): Promise<readonly string[]> {
    const admin = client.admin();
    await admin.connect();
    try {
      return await admin.listTopics();
    } finally {
      await admin.disconnect();
    }
  }

  async function createTopic(topic: string): Promise<void> {
    const admin = client.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic }], waitForLeaders: true });
    await admin.disconnect();
  }

  it('keeps what it acknowledged over kill -9 and a stop, on the same port', async () => {
    await createTopic('kept');
    await send('kept', 'one', 'two');
    await kafka.kill();
    await kafka.start();
    await send('kept', 'three');
    await kafka.stop();
    await kafka.start();
    expect(await received('kept', 3)).toEqual(['one', 'two', 'three']);
  });

  it('goes on with what was sent to it while it was paused', async () => {
    await createTopic('paused');
    kafka.pause();
    const late = send('paused', 'late');
    await new Promise((resolve) => setTimeout(resolve, 300));
    kafka.resume();
    await late;
    expect(await received('paused', 1)).toEqual(['late']);
  });

  it('is wiped when it does not run', async () => {
    expect(await topics()).toContain('kept');
    await kafka.stop();
    await kafka.wipe();
    await kafka.start();
    expect(await topics()).toEqual([]);
  });
});

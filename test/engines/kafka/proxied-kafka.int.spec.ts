import { Kafka, logLevel } from 'kafkajs';
import { expect, it } from 'vitest';
import { withOwnEngine } from '../with-engine.js';
import { startProxiedKafka } from './start-kafka.js';

withOwnEngine('kafka')('a Kafka behind a proxy', () => {
  it('is reached through it only, and waits while it swallows', async () => {
    const kafka = await startProxiedKafka();
    const client = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING });
    const admin = client.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'slow' }], waitForLeaders: true });
    const producer = client.producer();
    await producer.connect();
    kafka.proxy.blackHole();
    let sent = false;
    const sending = producer.send({ topic: 'slow', messages: [{ value: 'late' }] }).then(() => {
      sent = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent).toBe(false);
    await kafka.proxy.pass();
    await sending;
    const [offsets] = await admin.fetchTopicOffsets('slow');
    expect(offsets?.high).toBe('1');
    await producer.disconnect();
    await admin.disconnect();
    await kafka.remove();
  });
});

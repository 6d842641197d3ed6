import type { Config } from '#config/settings.js';
import { isHindsightError } from '#contract/errors.js';
import { feedTopics } from '#infra/kafka/topics.js';
import { checkPartitions, ensureFeedTopics } from '#projector/feed/kafka/ensure-topics.js';
import { kafkaClient, reasonOf } from '#projector/feed/kafka/kafka-client.js';
import { counted } from '#query/mcp/render/shown.js';
import { type Looked, well, wrong } from '../../doctor/finding.js';
import type { FoundLedger } from './check-ledger.js';

/** Kafka, and the ledger's topics in it. */
export async function checkFeed({ kafkaBrokers, kafkaPartitions }: Config, ledger: FoundLedger): Promise<Looked> {
  const place = { brokers: kafkaBrokers, ledger: ledger.id, partitions: kafkaPartitions };
  const admin = kafkaClient(kafkaBrokers, `hindsight-ledger-${ledger.id}-doctor`).admin();
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    const there = new Set(await admin.listTopics());
    const missing = feedTopics(ledger.id, kafkaPartitions).filter(({ name }) => !there.has(name));
    if (missing.length > 0)
      return wrong(
        'feed',
        `Kafka answers (${counted(brokers.length, 'broker')}), but lacks ${missing.map(({ name }) => name).join(', ')}.`,
        'The relay makes them when it starts.',
        async () => `made ${(await ensureFeedTopics(place)).join(', ')}.`,
      );
    await checkPartitions(admin, ledger.id, kafkaPartitions);
    return well(
      'feed',
      `Kafka answers (${counted(brokers.length, 'broker')}), with ${counted(kafkaPartitions, 'partition')}`,
    );
  } catch (error) {
    if (isHindsightError(error)) return wrong('feed', error.message, error.hint);
    return wrong(
      'feed',
      `Kafka at ${kafkaBrokers.join(', ')} cannot be used: ${reasonOf(error)}.`,
      'Start it, or correct HINDSIGHT_LEDGER_KAFKA_BROKERS; it must advertise an address that this machine reaches.',
    );
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

import { HindsightError, isHindsightError } from '#contract/errors.js';
import { checkFeedTopics, type FeedPlace } from '#projector/feed/kafka/ensure-topics.js';
import { kafkaClient, reasonOf } from '#projector/feed/kafka/kafka-client.js';

/** Looks whether Kafka answers and has the ledger's topic; for readiness. @throws HindsightError unreachable · invalid_config */
export async function feedIsThere({ brokers, ledger, partitions }: FeedPlace): Promise<void> {
  try {
    await checkFeedTopics(kafkaClient(brokers, `hindsight-ledger-${ledger}-readiness`), ledger, partitions);
  } catch (error) {
    if (isHindsightError(error)) throw error;
    throw new HindsightError('unreachable', `Kafka at ${brokers.join(', ')} cannot be used: ${reasonOf(error)}.`);
  }
}

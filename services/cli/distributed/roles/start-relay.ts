import { NestFactory } from '@nestjs/core';
import { kafkaElection } from '#projector/feed/kafka/kafka-election.js';
import { openKafkaPublisher } from '#projector/feed/kafka/kafka-publisher.js';
import { type RelayRun, relayModule } from '#projector/relay/relay.module.js';
import { runRelay } from '#projector/relay/run-relay.js';
import { untilThere, whyNot } from '../until-there.js';
import type { Role, RoleParts } from './role.js';

/** Ledger to Kafka. Of several one is active, the others stand by; all of them are ready. */
export async function startRelay({ config, log, engines, waiting }: RoleParts): Promise<Role> {
  const ledger = await untilThere('the ledger', () => engines.ledger(), waiting);
  const place = { brokers: config.kafkaBrokers, ledger: ledger.id, partitions: config.kafkaPartitions };
  const feed = await import('#projector/feed/kafka/ensure-topics.js');
  await untilThere('the feed', () => feed.ensureFeedTopics(place), waiting);
  let failure: unknown;
  const run: RelayRun = (signal) =>
    runRelay(
      { ledger, openPublisher: () => openKafkaPublisher(place), elect: kafkaElection({ ...place, log }), log },
      signal,
    ).catch((error: unknown) => {
      failure = error;
      log.error({ error: (error as Error).message }, 'this relay has stopped');
    });
  const app = await NestFactory.createApplicationContext(relayModule(run), { logger: false, abortOnError: false });
  return {
    missing: async () => [
      ...(failure === undefined ? [] : [`the relay: ${(failure as Error).message}`]),
      ...(await whyNot('the ledger', () => ledger.head())),
      ...(await whyNot('the feed', () => feed.ensureFeedTopics(place))),
    ],
    close: () => app.close(),
  };
}

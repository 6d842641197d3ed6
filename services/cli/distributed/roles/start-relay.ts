import { NestFactory } from '@nestjs/core';
import { ensureFeedTopics } from '#projector/feed/kafka/ensure-topics.js';
import { kafkaElection } from '#projector/feed/kafka/kafka-election.js';
import { openKafkaPublisher } from '#projector/feed/kafka/kafka-publisher.js';
import { observedPublisher } from '#projector/observed-publisher.js';
import { type RelayRun, relayModule } from '#projector/relay/relay.module.js';
import { runRelay } from '#projector/relay/run-relay.js';
import { untilThere, whyNot } from '../until-there.js';
import { feedIsThere } from './feed-is-there.js';
import type { Role, RoleParts } from './role.js';

/** Ledger to Kafka. Of several one is active, the others stand by; all of them are ready. */
export async function startRelay({ config, log, engines, waiting, telemetry }: RoleParts): Promise<Role> {
  const ledger = await untilThere('the ledger', () => engines.ledger(), waiting);
  const place = {
    brokers: config.kafkaBrokers,
    ledger: ledger.id,
    partitions: config.kafkaPartitions,
    from: ledger.place,
  };
  await untilThere('the feed', () => ensureFeedTopics(place), waiting);
  let failure: unknown;
  const run: RelayRun = (signal) =>
    runRelay(
      {
        ledger,
        openPublisher: async () => observedPublisher(await openKafkaPublisher(place), telemetry),
        elect: kafkaElection({ ...place, log }),
        log,
        metrics: { active: telemetry.meters.relaying },
      },
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
      ...(await whyNot('the feed', () => feedIsThere(place))),
    ],
    without: async () => [],
    close: () => app.close(),
  };
}

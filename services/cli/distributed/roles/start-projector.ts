import { NestFactory } from '@nestjs/core';
import { createEmbedding } from '#projector/embedding/create-embedding.js';
import { createFedProjector } from '#projector/fed/create-fed-projector.js';
import { fedProjectorModule, fedTransport } from '#projector/fed/fed-projector.module.js';
import { openKafkaFeed } from '#projector/feed/kafka/kafka-feed.js';
import { tracedCommits } from '#projector/traced-commits.js';
import { untilThere, whyNot } from '../until-there.js';
import { feedIsThere } from './feed-is-there.js';
import type { Role, RoleParts } from './role.js';

/** Events in, read models out. Several share the feed's partitions. */
export async function startProjector({ config, log, sources, engines, waiting, telemetry }: RoleParts): Promise<Role> {
  const ledger = await untilThere('the ledger', () => engines.ledger(), waiting);
  // The views first: other roles wait for the schema, and this one for keys that another makes.
  const views = await untilThere('the views', () => engines.views('projector'), waiting);
  const vault = await untilThere('the keys', () => engines.vault(), waiting);
  const place = { brokers: config.kafkaBrokers, ledger: ledger.id, partitions: config.kafkaPartitions };
  const feed = openKafkaFeed({ ...place, log });
  const { meters, tracer } = telemetry;
  const traced = tracer && tracedCommits(tracer);
  const embedder = engines.embedder('projector');
  const embedding = embedder && createEmbedding({ ledger, views, vault, embedder, log });
  const projector = createFedProjector({
    ledger,
    views,
    vault,
    feed,
    log,
    now: sources.now,
    onVisible: meters.becameVisible,
    onCommitted(committed) {
      traced?.(committed);
      embedding?.wake();
    },
  });
  meters.lagFrom(() => projector.status());
  const app = await NestFactory.createMicroservice(fedProjectorModule(projector), {
    strategy: fedTransport(projector),
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  const stopping = new AbortController();
  const embeds = embedding?.background(stopping.signal);
  return {
    missing: async () => [
      ...(await whyNot('the views', () => views.generations())),
      ...(await whyNot('the keys', () => vault.knownBankKeys('readiness'))),
      ...(await whyNot('the feed', () => feedIsThere(place))),
      ...projector
        .status()
        .filter(({ state, trouble }) => state === 'starting' || state === 'stopped' || trouble !== undefined)
        .map(({ projection, state, trouble }) => `projection ${projection}: ${trouble?.message ?? state}`),
    ],
    async close() {
      stopping.abort();
      await embeds;
      await app.close();
      await feed.close();
    },
  };
}

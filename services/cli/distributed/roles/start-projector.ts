import { NestFactory } from '@nestjs/core';
import type { CommandPort } from '#contract/command-port.js';
import { createEmbedding } from '#projector/embedding/create-embedding.js';
import { createFedProjector } from '#projector/fed/create-fed-projector.js';
import { fedProjectorModule, fedTransport } from '#projector/fed/fed-projector.module.js';
import { openKafkaFeed } from '#projector/feed/kafka/kafka-feed.js';
import { tracedCommits } from '#projector/traced-commits.js';
import { remoteCommands } from '#query/remote-commands/remote-commands.js';
import { enrichmentOf } from '../../enrichment-of.js';
import { untilThere, whyNot } from '../until-there.js';
import { feedIsThere } from './feed-is-there.js';
import type { Role, RoleParts } from './role.js';

/**
 * Events in, read models out. Several share the feed's partitions.
 * @param own the commands of this process, once it is an ingest service too: what a language model finds is recorded by ingest
 */
export async function startProjector(
  { config, log, sources, engines, waiting, telemetry }: RoleParts,
  own: () => CommandPort | undefined = () => undefined,
): Promise<Role> {
  const ledger = await untilThere('the ledger', () => engines.ledger(), waiting);
  // The views first: other roles wait for the schema, and this one for keys that another makes.
  const views = await untilThere('the views', () => engines.views('projector'), waiting);
  const vault = await untilThere('the keys', () => engines.vault(), waiting);
  const place = {
    brokers: config.kafkaBrokers,
    ledger: ledger.id,
    partitions: config.kafkaPartitions,
    from: ledger.place,
  };
  const feed = openKafkaFeed({ ...place, log });
  const { meters, tracer } = telemetry;
  const traced = tracer && tracedCommits(tracer);
  const embedder = engines.embedder('projector');
  const embedding = embedder && createEmbedding({ ledger, views, vault, embedder, log });
  const remote =
    config.llmUrl === undefined
      ? undefined
      : remoteCommands({ addresses: config.ingestUrl, serviceKey: () => vault.serviceKey(), sources, log });
  const enrichment =
    remote &&
    enrichmentOf(config, {
      ledger,
      views,
      vault,
      log,
      now: sources.now,
      record: (found, caller) => (own() ?? remote).enrich(found, caller),
    });
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
      enrichment?.wake();
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
  const works = [embedding, enrichment].map((each) => each?.background(stopping.signal));
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
    // The feed brings what is new; what it does not bring waits.
    without: () => whyNot('the ledger', () => ledger.head()),
    async close() {
      stopping.abort();
      await Promise.all(works);
      await remote?.close();
      await app.close();
      await feed.close();
    },
  };
}

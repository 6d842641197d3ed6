import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';
import { startProxiedKafka } from '#test/engines/kafka/start-kafka.js';
import { serverUser, startPostgres } from '#test/engines/postgres/start-postgres.js';
import { startRedis } from '#test/engines/redis/start-redis.js';
import { canMount, smallDisk } from '#test/engines/small-disk.js';
import { startTcpProxy } from '#test/engines/tcp-proxy.js';
import { withOwnEngine } from '#test/engines/with-engine.js';
import { startStack } from '#test/stack/start-stack.js';
import { badDay, printDays } from './aftermath.js';
import { type ChaosStack, startChaosStack } from './chaos-stack.js';

const few = { ingest: 1, relay: 1, projector: 1, query: 1 };

withOwnEngine(
  'postgres',
  'redis',
  'kafka',
)('bad surroundings', () => {
  let stack: ChaosStack | undefined;
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    printDays();
    await stack?.close();
    stack = undefined;
    for (const close of closing.splice(0).reverse()) await close();
  });

  describe.runIf(canMount)('a disk', () => {
    it('of the views that is full', async () => {
      const disk = smallDisk(400, serverUser());
      closing.push(() => disk.remove());
      stack = await startChaosStack({ services: few }, { views: () => startPostgres({ dataFolder: disk.folder }) });
      const token = await stack.token();
      await badDay(stack, token, 'the disk of the views full', async () => {
        disk.fill();
        await sleep(4_000);
        disk.makeRoom();
        // A PostgreSQL that could not write its log has ended; an operator starts it again.
        await stack!.engines.views.kill();
        await stack!.engines.views.start();
      });
    });
  });

  it('a slow network to every engine', async () => {
    const [kafka, views, keys, redis] = await Promise.all([
      startProxiedKafka(),
      startPostgres(),
      startPostgres(),
      startRedis(),
    ]);
    const events = mkdtempSync(join(tmpdir(), 'hindsight-ledger-events-'));
    const eventStore = await spawnEventStore(events);
    closing.push(async () => {
      await eventStore.kill();
      rmSync(events, { recursive: true, force: true });
      await Promise.all([kafka, views, keys, redis].map((engine) => engine.remove()));
    });
    const near = [views.url, keys.url, redis.url, eventStore.connectionString];
    const proxies = await Promise.all(near.map((url) => startTcpProxy(url)));
    closing.push(async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))));
    const [postgres, keysPostgres, hot, eventstore] = proxies.map((proxy, at) => proxy.through(near[at]!));
    const plain = await startStack({
      engines: { kafka: kafka.brokers, postgres, keysPostgres, redis: hot!, eventstore: eventstore! },
    });
    closing.push(() => plain.close());
    await plain.ready();
    const token = await plain.token();
    await badDay(plain, token, 'every engine 40 ms away', async () => {
      for (const proxy of [kafka.proxy, ...proxies]) proxy.delay({ up: 20, down: 20 });
      await sleep(6_000);
      for (const proxy of [kafka.proxy, ...proxies]) proxy.delay({});
    });
  });

  it('keys that are away: what is sealed is refused by name', async () => {
    stack = await startChaosStack({ services: few });
    const token = await stack.token();
    await badDay(stack, token, 'keys away while services start', async () => {
      const [query] = stack!.of('query');
      await stack!.engines.keys.kill();
      await query!.kill();
      query!.start();
      const missing = async () => (await query!.health())?.missing.join(' ') ?? '';
      await expect.poll(missing, { timeout: 30_000 }).toMatch(/keys? /i);
      await stack!.engines.keys.start();
      await query!.ready();
    });
  });
});

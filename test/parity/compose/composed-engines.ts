import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type SpawnedEventStore, spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';
import { startKafka } from '#test/engines/kafka/start-kafka.js';
import { postgresProgram } from '#test/engines/postgres/postgres-program.js';
import { type PostgresEngine, startPostgres } from '#test/engines/postgres/start-postgres.js';
import { startRedis } from '#test/engines/redis/start-redis.js';
import { composedEngine, type EngineAddress } from '#test/stack/compose.js';

/** The engines of the Compose file on this machine, each with its passwords: nobody gets in without. */
export interface ComposedEngines {
  readonly addresses: Readonly<Record<EngineAddress, string>>;
  /** Where they keep their data and logs. */
  readonly folders: Readonly<Record<'views' | 'keys' | 'redis' | 'feed' | 'events', string>>;
  /** Everything that Redis holds, as it would write it to a disk. */
  heldByRedis(): Promise<Buffer>;
  /** Ends them, so that all they hold is in their files. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

export async function startComposedEngines(
  variables: Readonly<Record<string, string>>,
  folder: string,
): Promise<ComposedEngines> {
  const redisSettings = /redis-server (.*)$/.exec(composedEngine('redis', variables).command.at(-1) ?? '')?.[1] ?? '';
  const settings = redisSettings
    .replace('$REDIS_PASSWORD', variables.REDIS_PASSWORD!)
    .split(' ')
    .map((word) => word.replaceAll('"', ''));
  const events = join(folder, 'events');
  const [views, keys, redis, kafka, eventStore] = await Promise.all([
    startPostgres(),
    startPostgres(),
    startRedis(settings),
    startKafka(),
    spawnEventStore(events),
  ]);
  const engines = [views, keys, redis, kafka];
  await Promise.all([prepareViews(views, variables), prepareKeys(keys, variables)]);
  return {
    addresses: {
      'eventstore:2113': hostOf(eventStore.connectionString),
      'kafka:9092': kafka.brokers,
      'views:5432': hostOf(views.url),
      'keys:5432': hostOf(keys.url),
      'redis:6379': hostOf(redis.url),
    },
    folders: { views: views.folder, keys: keys.folder, redis: redis.folder, feed: kafka.folder, events },
    heldByRedis: () => dumped(redis.url, variables.REDIS_PASSWORD!),
    stop: () => stopped(engines, eventStore),
    async remove() {
      await eventStore.kill();
      await Promise.all(engines.map((engine) => engine.remove()));
    },
  };
}

const hostOf = (url: string) => new URL(url).host;

async function stopped(engines: readonly { stop(): Promise<void> }[], eventStore: SpawnedEventStore): Promise<void> {
  await eventStore.kill();
  await Promise.all(engines.map((engine) => engine.stop()));
}

/** As the image does it: makes the database, then runs what lies in docker-entrypoint-initdb.d. */
async function prepareViews(server: PostgresEngine, variables: Readonly<Record<string, string>>): Promise<void> {
  const { environment } = composedEngine('views', variables);
  await statements(server.url, [
    `CREATE DATABASE ${environment.POSTGRES_DB}`,
    `ALTER ROLE postgres PASSWORD '${environment.POSTGRES_PASSWORD}'`,
  ]);
  const { hostname, port } = new URL(server.url);
  const script = new URL('../../../infra/postgres/init-views.sh', import.meta.url).pathname;
  const path = `${postgresProgram().binaries}:${process.env.PATH}`;
  execFileSync('sh', [script], {
    env: { ...process.env, ...environment, PATH: path, PGHOST: hostname, PGPORT: port },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await askPasswords(server);
}

async function prepareKeys(server: PostgresEngine, variables: Readonly<Record<string, string>>): Promise<void> {
  const {
    POSTGRES_USER: user,
    POSTGRES_DB: database,
    POSTGRES_PASSWORD: password,
  } = composedEngine('keys', variables).environment;
  await statements(server.url, [
    `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`,
    `CREATE DATABASE ${database} OWNER ${user}`,
  ]);
  await askPasswords(server);
}

/** The image's own rules for whoever comes over the network. */
async function askPasswords(server: PostgresEngine): Promise<void> {
  writeFileSync(join(server.folder, 'data', 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  await statements(server.url, ['SELECT pg_reload_conf()']);
  for (let tries = 0; await answers(server.url); tries++)
    if (tries > 200) throw new Error('PostgreSQL goes on letting in whoever has no password.');
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function statements(url: string, all: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of all) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function dumped(url: string, password: string): Promise<Buffer> {
  const redis = new Redis(url, { password });
  const parts: Buffer[] = [];
  try {
    for await (const keys of redis.scanStream() as AsyncIterable<string[]>)
      for (const key of keys) parts.push(Buffer.from(key), (await redis.dumpBuffer(key)) ?? Buffer.alloc(0));
  } finally {
    redis.disconnect();
  }
  return Buffer.concat(parts);
}

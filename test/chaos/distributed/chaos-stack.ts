import pg from 'pg';
import { type KafkaEngine, startKafka } from '#test/engines/kafka/start-kafka.js';
import { type PostgresEngine, startPostgres } from '#test/engines/postgres/start-postgres.js';
import { type RedisEngine, startRedis } from '#test/engines/redis/start-redis.js';
import { type Stack, type StackOptions, startStack } from '#test/stack/start-stack.js';

/** A distributed profile with engines of its own, which may be killed, stopped and wiped. */
export interface ChaosStack extends Stack {
  readonly engines: {
    readonly views: PostgresEngine;
    readonly keys: PostgresEngine;
    readonly kafka: KafkaEngine;
    readonly redis: RedisEngine;
  };
}

/** @param make engines of another kind than usual, such as one on a small disk */
export async function startChaosStack(
  options: StackOptions = {},
  make: { views?: () => Promise<PostgresEngine> } = {},
): Promise<ChaosStack> {
  const [views, keys, kafka, redis] = await Promise.all([
    (make.views ?? startPostgres)(),
    startPostgres(),
    startKafka(),
    startRedis(),
  ]);
  const started = [views, keys, kafka, redis];
  try {
    const stack = await startStack({
      services: { ingest: 2, relay: 2, projector: 2, query: 1 },
      ...options,
      engines: {
        postgres: views.url,
        keysPostgres: keys.url,
        kafka: kafka.brokers,
        redis: redis.url,
        ...options.engines,
      },
    });
    await stack.ready();
    return {
      ...stack,
      engines: { views, keys, kafka, redis },
      async close() {
        await stack.close();
        await Promise.all(started.map((engine) => engine.remove()));
      },
    };
  } catch (error) {
    await Promise.all(started.map((engine) => engine.remove()));
    throw error;
  }
}

/** The views' database is gone, and an empty one with the same name and rights has taken its place. */
export async function loseViews({ databases }: Stack): Promise<void> {
  const admin = new URL(databases.viewsAdminUrl);
  const name = admin.pathname.slice(1);
  const owner = new URL(databases.viewsUrl).username;
  admin.pathname = '/postgres';
  await onDatabase(admin.href, [
    `DROP DATABASE ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name}`,
    `GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${name} TO ${owner}`,
  ]);
  await onDatabase(databases.viewsAdminUrl, ['CREATE EXTENSION IF NOT EXISTS vector']);
}

export async function onDatabase(url: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

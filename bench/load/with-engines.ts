import type { Engine } from '#test/engines/engine-process.js';
import { type EngineName, variables } from '#test/engines/engines.js';
import { startKafka } from '#test/engines/kafka/start-kafka.js';
import { startPostgres } from '#test/engines/postgres/start-postgres.js';
import { startRedis } from '#test/engines/redis/start-redis.js';

interface Started {
  readonly engine: Engine;
  readonly address: string;
}

/** As who operates them runs them, which for PostgreSQL means that a commit is on the disk. */
const starters: Readonly<Record<EngineName, () => Promise<Started>>> = {
  async postgres() {
    const engine = await startPostgres({ settings: { fsync: 'on' } });
    return { engine, address: engine.url };
  },
  async redis() {
    const engine = await startRedis();
    return { engine, address: engine.url };
  },
  async kafka() {
    const engine = await startKafka();
    return { engine, address: engine.brokers };
  },
};

/**
 * Engines for one bench, in temporary folders that go with it; where an address is given in the environment, as for tests, that one is
 * used. `engine(name)` has the addresses.
 * @throws EngineMissing when one is not installed
 */
export async function withEngines<T>(
  names: readonly EngineName[],
  work: (own: Partial<Record<EngineName, Engine>>) => Promise<T>,
): Promise<T> {
  const own: Partial<Record<EngineName, Engine>> = {};
  try {
    for (const name of names) {
      if (process.env[variables[name]]) continue;
      const { engine, address } = await starters[name]();
      own[name] = engine;
      process.env[variables[name]] = address;
    }
    return await work(own);
  } finally {
    for (const [name, engine] of Object.entries(own)) {
      delete process.env[variables[name as EngineName]];
      await engine.remove();
    }
  }
}

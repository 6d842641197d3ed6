import type { Engine } from './engine-process.js';
import type { EngineName } from './engines.js';
import { EngineMissing } from './install/engine-missing.js';
import { installKafka } from './kafka/install-kafka.js';
import { kafkaProgram } from './kafka/kafka-program.js';
import { startKafka } from './kafka/start-kafka.js';
import { installPostgres } from './postgres/install-postgres.js';
import { postgresProgram } from './postgres/postgres-program.js';
import { startPostgres } from './postgres/start-postgres.js';
import { installRedis } from './redis/install-redis.js';
import { redisProgram } from './redis/redis-program.js';
import { startRedis } from './redis/start-redis.js';

interface TestEngine {
  /** @throws EngineMissing when it cannot be started on this machine as it is */
  check(): unknown;
  install(): Promise<void>;
  start(): Promise<{ readonly engine: Engine; readonly address: string }>;
}

/** The engines that tests run on, how each gets onto a machine, and how one is started. */
export const testEngines: Readonly<Record<EngineName, TestEngine>> = {
  postgres: {
    check: postgresProgram,
    install: installPostgres,
    async start() {
      const engine = await startPostgres();
      return { engine, address: engine.url };
    },
  },
  redis: {
    check: redisProgram,
    install: installRedis,
    async start() {
      const engine = await startRedis();
      return { engine, address: engine.url };
    },
  },
  kafka: {
    check: kafkaProgram,
    install: installKafka,
    async start() {
      const engine = await startKafka();
      return { engine, address: engine.brokers };
    },
  },
};

/**
 * Installs what is missing, where that is allowed.
 * @returns whether anything was missing
 * @throws EngineMissing when it stays missing, with why
 */
export async function installed({ check, install }: TestEngine): Promise<boolean> {
  try {
    check();
    return false;
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error;
    await install().catch((failure: Error) => {
      throw new EngineMissing(`${error.message}, and could not be installed: ${failure.message}`);
    });
  }
  check();
  return true;
}

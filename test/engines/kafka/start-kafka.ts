import { randomBytes } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engineFolder } from '../engine-folder.js';
import { type Engine, startEngine } from '../engine-process.js';
import { freePorts } from '../free-ports.js';
import { classArchive, javaArguments, kafkaProgram } from './kafka-program.js';
import { serverProperties } from './server-properties.js';

export interface KafkaEngine extends Engine {
  /** Address of its one broker, for example `127.0.0.1:9092`. */
  readonly brokers: string;
}

export interface KafkaOptions {
  /** Where clients are told to connect: the port of a proxy before the broker, which they would go round otherwise. */
  readonly advertisedPort?: number;
}

/**
 * A Kafka of this test's own: one KRaft broker.
 * @throws EngineMissing when Java or its jars are missing
 */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaEngine> {
  const kafka = kafkaProgram();
  const folder = engineFolder('kafka');
  const data = join(folder.path, 'data');
  const properties = join(folder.path, 'server.properties');
  const [port = 0, controllerPort = 0] = await freePorts(2);
  const { advertisedPort = port } = options;
  await writeFile(properties, serverProperties({ data, port, controllerPort, advertisedPort }));
  const memory = ['-Xms64m', '-Xmx384m', `-XX:SharedArchiveFile=${join(kafka.folder, classArchive)}`];
  const engine = await startEngine({
    name: 'Kafka',
    folder,
    stopSignal: 'SIGTERM',
    // Formatting takes a second Java and 2 s; a copy of what was formatted once, with a cluster id of its own, is the same.
    async prepare() {
      await cp(join(kafka.folder, 'formatted'), data, { recursive: true });
      const meta = join(data, 'meta.properties');
      const cluster = `cluster.id=${randomBytes(16).toString('base64url')}`;
      await writeFile(meta, (await readFile(meta, 'utf8')).replace(/^cluster\.id=.*$/m, cluster));
    },
    command: () => ({ program: kafka.java, args: javaArguments(kafka.folder, memory, 'kafka.Kafka', properties) }),
    isReady: async (log) => log.includes('Kafka Server started'),
    wipe: () => rm(data, { recursive: true, force: true }),
  });
  return { ...engine, brokers: `127.0.0.1:${port}` };
}

import { randomBytes } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engineFolder } from '../engine-folder.js';
import { type Engine, startEngine } from '../engine-process.js';
import { freePort } from '../free-ports.js';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.js';
import { classArchive, javaArguments, kafkaProgram } from './kafka-program.js';
import { serverProperties } from './server-properties.js';

export interface KafkaEngine extends Engine {
  /** Address of its one broker (of the proxy before it, where there is one), for example `127.0.0.1:9092`. */
  readonly brokers: string;
}

/**
 * A Kafka of this test's own: one KRaft broker.
 * @throws EngineMissing when Java or its jars are missing
 */
export async function startKafka(): Promise<KafkaEngine> {
  const port = await freePort();
  return startBroker(port, port);
}

/** One that tells its clients to come through a proxy: they would go round one that it knows nothing of. */
export async function startProxiedKafka(): Promise<KafkaEngine & { readonly proxy: TcpProxy }> {
  const port = await freePort();
  const proxy = await startTcpProxy(port);
  const kafka = await startBroker(port, proxy.port);
  return {
    ...kafka,
    proxy,
    async remove() {
      await proxy.close();
      await kafka.remove();
    },
  };
}

async function startBroker(port: number, advertisedPort: number): Promise<KafkaEngine> {
  const kafka = kafkaProgram();
  const folder = engineFolder('kafka');
  const data = join(folder.path, 'data');
  const properties = join(folder.path, 'server.properties');
  const controllerPort = await freePort();
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
  return { ...engine, brokers: `127.0.0.1:${advertisedPort}` };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../free-ports.js';
import { aptInstall } from '../install/apt.js';
import { run } from '../install/run.js';
import { logSettings, pom } from './kafka-files.js';
import { classArchive, java, javaArguments, javaNeeded, kafkaFolder, logSettingsFile } from './kafka-program.js';
import { serverProperties } from './server-properties.js';

/**
 * Kafka's jars by Maven, from wherever this machine's Maven takes them: needs no root. Java and Maven, where they are
 * missing, from Debian's packages.
 * @throws EngineMissing when these are missing and cannot be installed
 */
export async function installKafka(): Promise<void> {
  const folder = kafkaFolder();
  const lacking = [
    ...(java() ? [] : [`openjdk-${javaNeeded}-jre-headless`]),
    ...(existsSync(folder) || (await hasMaven()) ? [] : ['maven']),
  ];
  if (lacking.length) await aptInstall(...lacking);
  if (!existsSync(folder)) await fetchKafka(folder);
  if (!existsSync(join(folder, classArchive))) await archiveClasses(folder);
}

/** Under its own name only when it is complete, and whoever is first. */
async function fetchKafka(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}.`);
  try {
    await fetchJars(made);
    await writeFile(join(made, logSettingsFile), logSettings);
    await formatData(made);
    await rename(made, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * The jars, into the folder's `lib`.
 * @param options of Maven, for example another local repository
 */
export async function fetchJars(folder: string, ...options: string[]): Promise<void> {
  const pomFile = join(folder, 'pom.xml');
  await writeFile(pomFile, pom);
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
  await run('mvn', ['-B', '-q', '-Dmaven.artifact.threads=16', ...options, '-f', pomFile, ...goal]);
}

/** A data folder as every broker begins with; they copy it. */
async function formatData(folder: string): Promise<void> {
  const properties = join(folder, 'server.properties');
  const place = { port: 1, controllerPort: 2, advertisedPort: 1 }; // Nothing is started with them.
  await writeFile(properties, serverProperties({ ...place, data: join(folder, 'formatted') }));
  const format = ['kafka.tools.StorageTool', 'format', '-t', 'AAAAAAAAAAAAAAAAAAAAAQ', '-c', properties] as const;
  await run(requiredJava(), javaArguments(folder, [], ...format));
}

/** Starts a broker once, to archive the classes that it loads: later starts take less than half the time. */
async function archiveClasses(folder: string): Promise<void> {
  const work = await mkdtemp(join(folder, 'start-'));
  try {
    const properties = join(work, 'server.properties');
    const data = join(work, 'data');
    await cp(join(folder, 'formatted'), data, { recursive: true });
    const [port = 0, controllerPort = 0] = await freePorts(2);
    await writeFile(properties, serverProperties({ data, port, controllerPort, advertisedPort: port }));
    const archive = join(work, classArchive);
    const memory = ['-Xmx384m', `-XX:ArchiveClassesAtExit=${archive}`];
    const broker = spawn(requiredJava(), javaArguments(folder, memory, 'kafka.Kafka', properties), {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(broker, 'exit');
    let log = '';
    broker.stdout.on('data', (chunk) => {
      log += chunk;
      if (log.includes('Kafka Server started')) broker.kill('SIGTERM');
    });
    if (!(await Promise.race([ended, sleep(120_000, undefined, { ref: false })]))) broker.kill('SIGKILL');
    if (!existsSync(archive)) throw new Error(`Kafka's first start failed:\n${log.slice(-2_000)}`);
    await rename(archive, join(folder, classArchive));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function requiredJava(): string {
  const program = java();
  if (!program) throw new Error('Java was installed but does not run.');
  return program;
}

async function hasMaven(): Promise<boolean> {
  return run('mvn', ['-v']).then(
    () => true,
    () => false,
  );
}

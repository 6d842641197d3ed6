import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { EngineMissing } from '../install/engine-missing.js';
import { kafkaVersion, logSettings, pom } from './kafka-files.js';

/** Kafka's jars and what was made of them, kept between runs; another version or another set of jars has another folder. */
export function kafkaFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const print = createHash('sha256')
    .update(pom + logSettings)
    .digest('hex')
    .slice(0, 8);
  return join(cache, 'hindsight-ledger-tests', `kafka-${kafkaVersion}-${print}`);
}

export const javaNeeded = 17; // Kafka 4's broker.

/** The Java on the path, or that of JAVA_HOME, which comes first; undefined when there is none that is new enough. */
export function java(): string | undefined {
  const candidates = [...(process.env.JAVA_HOME ? [join(process.env.JAVA_HOME, 'bin', 'java')] : []), 'java'];
  return candidates.find((program) => {
    const { stderr } = spawnSync(program, ['-version'], { encoding: 'utf8' });
    return Number(/version "(\d+)/.exec(stderr ?? '')?.[1]) >= javaNeeded;
  });
}

/** In Kafka's folder. */
export const logSettingsFile = 'log4j2.properties';
/** In Kafka's folder: what a broker loads at its start, ready for use. */
export const classArchive = 'classes.jsa';

export interface KafkaProgram {
  readonly java: string;
  readonly folder: string;
}

/** @throws EngineMissing when Java or Kafka's jars are missing */
export function kafkaProgram(): KafkaProgram {
  const program = java();
  if (!program) throw new EngineMissing(`Kafka needs Java ${javaNeeded} or newer, which is not installed`);
  const folder = kafkaFolder();
  if (!existsSync(folder)) throw new EngineMissing("Kafka's jars have not been fetched yet");
  return { java: program, folder };
}

/** Java's arguments to run one of Kafka's main classes from the jars of a folder. */
export function javaArguments(folder: string, memory: readonly string[], main: string, ...args: string[]): string[] {
  const jars = join(folder, 'lib');
  // In a fixed order, for an archive of classes fits one class path only.
  const classPath = readdirSync(jars)
    .sort()
    .map((jar) => join(jars, jar))
    .join(delimiter);
  const quickStart = [
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-Dlog4j2.configurationFile=${join(folder, logSettingsFile)}`,
  ];
  return [...quickStart, ...memory, '-cp', classPath, main, ...args];
}

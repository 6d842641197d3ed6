import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineMissing } from '../install/engine-missing.js';

export interface PostgresProgram {
  /** Folder of `initdb` and `postgres`. */
  readonly binaries: string;
  /** For example `15`. */
  readonly major: string;
}

const debian = '/usr/lib/postgresql';
// Iterative index scans, without which a bank with few of the vectors finds a fifth of them.
const pgvectorNeeded = [0, 8] as const;

/** Installed PostgreSQL servers, the newest first. */
export function installedPostgres(): readonly PostgresProgram[] {
  if (existsSync(debian))
    return readdirSync(debian)
      .map((major) => ({ major, binaries: join(debian, major, 'bin') }))
      .filter(({ binaries }) => existsSync(join(binaries, 'postgres')))
      .sort((left, right) => Number(right.major) - Number(left.major));
  const binaries = pgConfig('--bindir');
  const major = /\d+/.exec(pgConfig('--version'))?.[0];
  return major && existsSync(join(binaries, 'postgres')) ? [{ binaries, major }] : [];
}

export function hasPgvector({ major }: PostgresProgram): boolean {
  const shared = existsSync(debian) ? `/usr/share/postgresql/${major}` : pgConfig('--sharedir');
  const control = join(shared, 'extension/vector.control');
  if (!existsSync(control)) return false;
  const [, ...version] = /default_version = '(\d+)\.(\d+)/.exec(readFileSync(control, 'utf8')) ?? [];
  const [first = 0, second = 0] = version.map(Number);
  return first > pgvectorNeeded[0] || (first === pgvectorNeeded[0] && second >= pgvectorNeeded[1]);
}

/** @throws EngineMissing unless a PostgreSQL with pgvector is installed */
export function postgresProgram(): PostgresProgram {
  const installed = installedPostgres();
  const [newest] = installed;
  if (!newest) throw new EngineMissing('PostgreSQL is not installed');
  const complete = installed.find(hasPgvector);
  if (!complete) throw new EngineMissing(`PostgreSQL ${newest.major} is installed without pgvector 0.8 or newer`);
  return complete;
}

function pgConfig(question: string): string {
  try {
    return execFileSync('pg_config', [question], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { engineFolder, type SystemUser } from '../engine-folder.js';
import { type Engine, startEngine } from '../engine-process.js';
import { freePort } from '../free-ports.js';
import { run } from '../install/run.js';
import { postgresProgram } from './postgres-program.js';

export interface PostgresEngine extends Engine {
  /** As its superuser, `postgres`; no role needs a password. */
  readonly url: string;
}

export interface PostgresOptions {
  /** Where the data go, for example a small disk; a folder within the engine's own by default. It must be empty. */
  readonly dataFolder?: string;
  /** On top of the defaults below, for example `{ fsync: 'on' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

// No test cuts the power, and what a killed server had written is with the system: waiting for the disk proves nothing.
const defaults = { fsync: 'off', max_connections: '300', shared_buffers: '128MB', unix_socket_directories: '' };

/**
 * A PostgreSQL with pgvector of this test's own.
 * @throws EngineMissing when none is installed
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresEngine> {
  const { binaries } = postgresProgram();
  const user = serverUser();
  const folder = engineFolder('postgres', user);
  const data = options.dataFolder ?? join(folder.path, 'data');
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = { ...defaults, listen_addresses: '127.0.0.1', port: `${port}`, ...options.settings };
  const engine = await startEngine({
    name: 'PostgreSQL',
    folder,
    user,
    stopSignal: 'SIGINT', // Its fast shutdown: ends sessions, keeps all that was committed.
    async prepare() {
      const args = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
      await run(join(binaries, 'initdb'), args, { folder: folder.path, ...user });
    },
    command: () => ({
      program: join(binaries, 'postgres'),
      args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    }),
    isReady: () => answers(url),
    async wipe() {
      await mkdir(data, { recursive: true });
      for (const name of await readdir(data)) await rm(join(data, name), { recursive: true });
    },
  });
  return { ...engine, url };
}

/** PostgreSQL refuses to run as root: then as the user that its package made. */
export function serverUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (question: string) => Number(execFileSync('id', [question, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

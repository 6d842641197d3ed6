import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ComposedService, withAddresses } from '#test/stack/compose.js';
import { entry } from '#test/support/built-server.js';
import type { Finished } from '#test/support/command.js';
import { projectRoot } from '#test/support/project-root.js';
import type { ComposedEngines } from './composed-engines.js';

/** The user of infra/Dockerfile. */
const user = { uid: 10001, gid: 10001 };
const isRoot = process.getuid?.() === 0;

export interface ComposedStack {
  /** As `docker compose exec <service> hindsight-ledger …`. */
  exec(service: string, args: readonly string[]): Promise<Finished>;
  /** As `docker compose stop`: exit codes by service. */
  stop(): Promise<Record<string, number>>;
  log(): string;
  remove(): void;
}

/** An address for each service, in a corner of 127.0.0.0/8 of this run's own. */
export function loopbackAddresses(services: readonly ComposedService[]): ReadonlyMap<string, string> {
  const corner = `127.${1 + (process.pid % 250)}.${1 + (Date.now() % 250)}`;
  return new Map(services.map(({ name }, at) => [name, `${corner}.${at + 1}`]));
}

/**
 * Our services, each with the command and the environment of the file, on loopback addresses in the places of those that containers
 * have; started as the file orders it, each once what it waits for is started or healthy. As root they run as the
 * image's user, and the home is read-only for all to whom the file gives it so.
 * @throws Error with what a service wrote, when it does not become healthy
 */
export async function startComposed(
  services: readonly ComposedService[],
  addressOf: ReadonlyMap<string, string>,
  engines: ComposedEngines,
  folder: string,
): Promise<ComposedStack> {
  const program = installed(folder);
  const home = join(folder, 'home');
  const lent = join(folder, 'home-ro');
  for (const path of [home, lent]) {
    mkdirSync(path, { mode: 0o700 });
    if (isRoot) chownSync(path, user.uid, user.gid);
  }
  if (isRoot) {
    execFileSync('mount', ['--bind', home, lent]);
    execFileSync('mount', ['-o', 'remount,ro,bind', lent]);
  }
  const hosts = { ...engines.addresses, 'ingest:7421': `${addressOf.get('ingest')}:7421` };
  const environmentOf = ({ name, environment, homeIsReadOnly }: ComposedService) => ({
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    ...withAddresses(environment, hosts),
    ...replaced(environment, '0.0.0.0', addressOf.get(name)!),
    HINDSIGHT_LEDGER_HOME: homeIsReadOnly && isRoot ? lent : home,
  });
  const running = new Map<string, ChildProcess>();
  let output = '';
  const spawned = (service: ComposedService, command: string, args: readonly string[]) =>
    spawn(command, args, {
      cwd: '/',
      env: environmentOf(service),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot ? user : {}),
    });

  async function isHealthy(service: ComposedService): Promise<boolean> {
    const [command = '', ...args] = service.healthcheck.map((word) =>
      word.replace('127.0.0.1', addressOf.get(service.name)!),
    );
    const [code] = await once(
      spawned(service, command, args).on('error', () => undefined),
      'exit',
    );
    return code === 0;
  }

  async function healthy(service: ComposedService): Promise<void> {
    const until = Date.now() + 120_000;
    while (!(await isHealthy(service))) {
      const ended = running.get(service.name)?.exitCode ?? null;
      if (ended !== null || Date.now() > until)
        throw new Error(
          `${service.name} ${ended === null ? 'is not healthy' : `ended with ${ended}`}:\n${output.slice(-6_000)}`,
        );
      await sleep(250);
    }
  }

  const started = new Map<string, Promise<void>>();
  const health = new Map<string, Promise<void>>();
  const start = (service: ComposedService): Promise<void> => {
    const known = started.get(service.name);
    if (known) return known;
    const starting = (async () => {
      for (const [name, condition] of Object.entries(service.waitsFor)) {
        const other = services.find((each) => each.name === name);
        if (!other) continue; // An engine, which runs already.
        await start(other);
        if (condition === 'service_healthy') await health.get(name);
      }
      const child = spawned(service, process.execPath, [program, ...service.command]);
      running.set(service.name, child);
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      const coming = healthy(service);
      coming.catch(() => undefined); // It is told to who waits for it.
      health.set(service.name, coming);
    })();
    started.set(service.name, starting);
    return starting;
  };
  const remove = () => {
    for (const child of running.values()) child.kill('SIGKILL');
    if (isRoot) spawnSync('umount', ['-l', lent]);
  };
  try {
    await Promise.all(services.map(start));
    await Promise.all(health.values());
  } catch (error) {
    remove();
    throw error;
  }
  return {
    async exec(name, args) {
      const service = services.find((each) => each.name === name);
      if (!service) throw new Error(`The file has no service ${name}.`);
      const child = spawned(service, process.execPath, [program, ...args]);
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const [code] = (await once(child, 'close')) as [number | null];
      output += stderr;
      return { code, stdout, stderr };
    },
    async stop() {
      const codes: Record<string, number> = {};
      for (const [name, child] of [...running].reverse()) {
        const exited = child.exitCode === null ? once(child, 'exit') : undefined;
        child.kill('SIGTERM');
        await exited;
        codes[name] = child.exitCode ?? -1;
      }
      return codes;
    },
    log: () => output,
    remove,
  };
}

/** As the image has it: the package with what it depends on, readable for its user wherever this repository lies. */
function installed(folder: string): string {
  const app = join(folder, 'app');
  cpSync(dirname(entry), join(app, 'bundle'), { recursive: true });
  for (const models of ['e5-small', 'kernels'])
    cpSync(join(projectRoot, 'models', models), join(app, 'models', models), { recursive: true });
  for (const name of ['@photostructure/sqlite', 'node-gyp-build'])
    cpSync(join(projectRoot, 'node_modules', name), join(app, 'node_modules', name), { recursive: true });
  if (isRoot) execFileSync('chmod', ['-R', 'a+rX', app]);
  chmodSync(folder, 0o755);
  return join(app, 'bundle', 'main.js');
}

function replaced(environment: Readonly<Record<string, string>>, what: string, by: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment)
      .filter(([, value]) => value === what)
      .map(([name]) => [name, by]),
  );
}

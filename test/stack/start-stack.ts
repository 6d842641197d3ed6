import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engine } from '#test/engines/engines.js';
import { type SpawnedEventStore, spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';
import { freePorts } from '#test/engines/free-ports.js';
import { command, type Finished } from '#test/support/command.js';
import { type StackDatabases, stackDatabases } from './databases.js';
import { type StackClient, stackClient } from './mcp-client.js';
import { type StackRole, type StackService, stackService } from './service-process.js';

export interface StackOptions {
  /** How many of each; one of each of the four by default. */
  readonly services?: Partial<Record<StackRole, number>>;
  /** Addresses of engines of the test's own; those that tests share by default. `null`: no Redis. */
  readonly engines?: {
    /** As a superuser who needs no password. */
    readonly postgres?: string;
    readonly keysPostgres?: string;
    readonly kafka?: string;
    readonly redis?: string | null;
    /** A connection string. */
    readonly eventstore?: string;
  };
  /** Addresses as services see them, where a proxy stands between. Set over all other variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly partitions?: number;
}

/** The distributed profile: services of the built product as real processes, on real engines and the EventStoreDB test server. */
export interface Stack {
  readonly services: readonly StackService[];
  /** All of a role. */
  of(role: StackRole): readonly StackService[];
  /** Undefined where an address was given. */
  readonly eventStore: SpawnedEventStore | undefined;
  readonly databases: StackDatabases;
  /** As the services have it, the role's own apart; the views' URL is the reader's. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** Resolves when every service is ready. */
  ready(withinMs?: number): Promise<void>;
  /** Runs a verb of the built command in the distributed profile. */
  command(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Finished>;
  /** A token of a bank, which is made. @param roles `reader,writer` by default */
  token(options?: { bank?: string; roles?: string; name?: string }): Promise<string>;
  /** An MCP client of a query service, the first one by default. */
  client(token: string, query?: StackService): Promise<StackClient>;
  /** Ends everything and removes what was made. */
  close(): Promise<void>;
}

/** Starts it; the services are on their way when it resolves: `ready()` waits for them. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { services: counts = { ingest: 1, relay: 1, projector: 1, query: 1 }, engines = {}, partitions = 4 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-ledger-stack-'));
  const home = join(folder, 'home');
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const eventStore = engines.eventstore ? undefined : await spawnEventStore(join(folder, 'events'));
    if (eventStore) closing.push(() => eventStore.kill());
    const databases = await stackDatabases(engines.postgres ?? engine('postgres'), engines.keysPostgres);
    closing.push(() => databases.drop().catch(() => undefined));
    const redis = engines.redis === undefined ? engine('redis') : engines.redis;
    const wanted = Object.entries(counts).flatMap(([role, count]) => Array<StackRole>(count).fill(role as StackRole));
    const ports = await freePorts(wanted.length * 2);
    const portsOf = (at: number) => ({ httpPort: ports[at * 2]!, commandPort: ports[at * 2 + 1]! });
    const ingest = wanted.flatMap((role, at) =>
      role === 'ingest' || role === 'all' ? [`127.0.0.1:${portsOf(at).commandPort}`] : [],
    );
    const env: Record<string, string> = {
      HINDSIGHT_LEDGER_PROFILE: 'distributed',
      HINDSIGHT_LEDGER_HOME: home,
      HINDSIGHT_LEDGER_EVENTSTORE_URL: engines.eventstore ?? eventStore!.connectionString,
      HINDSIGHT_LEDGER_KAFKA_BROKERS: engines.kafka ?? engine('kafka'),
      HINDSIGHT_LEDGER_KAFKA_PARTITIONS: String(partitions),
      HINDSIGHT_LEDGER_POSTGRES_URL: databases.readerUrl,
      HINDSIGHT_LEDGER_KEYS_URL: databases.keysUrl,
      HINDSIGHT_LEDGER_INGEST_URL: ingest.join(','),
      ...(redis === null ? {} : { HINDSIGHT_LEDGER_REDIS_URL: redis }),
      ...options.env,
    };
    const owning = { ...env, HINDSIGHT_LEDGER_POSTGRES_URL: databases.viewsUrl };
    const services = wanted.map((role, at) =>
      stackService({ role, env: role === 'projector' || role === 'all' ? owning : env, ...portsOf(at) }),
    );
    for (const service of services) {
      closing.push(() => service.kill());
      service.start();
    }
    const run: Stack['command'] = (args, more = {}) =>
      command(home, args, { input: more.input, env: { ...owning, ...more.env } });
    let tokens = 0;
    return {
      services,
      of: (role) => services.filter((service) => service.role === role),
      eventStore,
      databases,
      env,
      home,
      ready: async (withinMs) => void (await Promise.all(services.map((service) => service.ready(withinMs)))),
      command: run,
      async token({ bank = 'default', roles = 'reader,writer', name = `test-${++tokens}` } = {}) {
        const args = ['token', 'create', name, '--roles', roles, '--json', '--bank', bank];
        await run(['bank', 'create', bank]);
        const { stdout, stderr } = await run(args);
        const token = /"token":\s*"([^"]+)"/.exec(stdout)?.[1];
        if (!token) throw new Error(`token create: ${stdout}${stderr}`);
        return token;
      },
      client: (token, query = services.find(({ role }) => role === 'query' || role === 'all')) =>
        stackClient(query!.url, token),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

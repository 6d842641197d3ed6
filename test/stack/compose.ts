import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const file = new URL('../../infra/docker-compose.yml', import.meta.url);

/** One of our services as infra/docker-compose.yml starts it. */
export interface ComposedService {
  readonly name: string;
  /** What stands behind `hindsight-ledger`. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether its home may be written. */
  readonly homeIsReadOnly: boolean;
  /** Program and arguments, run where the service runs. */
  readonly healthcheck: readonly string[];
  /** By the name of the service that it waits for. */
  readonly waitsFor: Readonly<Record<string, 'service_started' | 'service_healthy'>>;
}

interface Document {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: unknown;
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly healthcheck?: { readonly test: readonly string[] };
        readonly volumes?: readonly string[];
        readonly networks?: readonly string[];
        readonly ports?: readonly string[];
        readonly depends_on?: Readonly<Record<string, { readonly condition: 'service_started' | 'service_healthy' }>>;
      }
    >
  >;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

/** How a container of the file, engines among them, is joined to what lies outside. */
export interface ComposedReach {
  readonly name: string;
  /** Its ports that the host passes on. */
  readonly published: readonly string[];
  /** Whether it is in a network that is not internal: out of an internal one nothing leads. */
  readonly reachesOutside: boolean;
}

/**
 * Our services in the Compose file, with its variables put in as Compose does it.
 * @param variables as in .env
 * @throws Error for a variable that must be set and is not
 */
export function composedServices(variables: Readonly<Record<string, string>>): ComposedService[] {
  const { services } = composed(variables);
  return Object.entries(services)
    .filter(([, { build }]) => build !== undefined)
    .map(([name, { command = [], environment = {}, healthcheck, volumes = [], depends_on = {} }]) => ({
      name,
      command,
      environment: withText(environment),
      healthcheck: healthcheck?.test.slice(1) ?? [],
      homeIsReadOnly: volumes.every((volume) => volume.endsWith(':ro')),
      waitsFor: Object.fromEntries(Object.entries(depends_on).map(([on, { condition }]) => [on, condition])),
    }));
}

/** Every container of the file. A service that names no network would be in Compose's own, which is not internal. */
export function composedReach(variables: Readonly<Record<string, string>>): ComposedReach[] {
  const { services, networks: known } = composed(variables);
  return Object.entries(services).map(([name, { ports = [], networks = ['default'] }]) => ({
    name,
    published: ports,
    reachesOutside: networks.some((network) => known[network]?.internal !== true),
  }));
}

/** What an engine of the file is started with, beside what its image does by itself. */
export function composedEngine(
  name: 'views' | 'keys' | 'redis',
  variables: Readonly<Record<string, string>>,
): { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> } {
  const { command = [], environment = {} } = composed(variables).services[name] ?? {};
  return { command, environment: withText(environment) };
}

function composed(variables: Readonly<Record<string, string>>): Document {
  return parse(interpolated(readFileSync(file, 'utf8'), variables), { merge: true }) as Document;
}

/** Compose puts variables in after it has parsed the file: what is empty then is a text, too. */
function withText(environment: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value ?? '')]));
}

/** `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$`, as the Compose specification has them. */
function interpolated(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$(\$|\{(\w+)(?::([-?])([^}]*))?\})/g,
    (_, all: string, name: string, how: string, rest: string) => {
      if (all === '$') return '$';
      const value = variables[name];
      if (value) return value;
      if (how === '?') throw new Error(`${name}: ${rest}`);
      return how === '-' ? rest : '';
    },
  );
}

/** The engines as the file names them, with their ports. */
export type EngineAddress = 'eventstore:2113' | 'kafka:9092' | 'views:5432' | 'keys:5432' | 'redis:6379';

/** An environment with other addresses of the engines and of our own services in the places of those of the file. */
export function withAddresses(
  environment: Readonly<Record<string, string>>,
  addresses: Readonly<Partial<Record<EngineAddress | 'ingest:7421', string>>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      Object.entries(addresses).reduce((text, [there, here]) => text.replaceAll(there, here), value),
    ]),
  );
}

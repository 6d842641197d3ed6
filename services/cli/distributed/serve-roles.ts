import { localRateLimit } from '#access/rate-limit.js';
import { requireSettings } from '#config/require-settings.js';
import type { Config, SettingName } from '#config/settings.js';
import { HindsightError } from '#contract/errors.js';
import { createHttpApp } from '#query/mcp/http/create-http-app.js';
import type { Readiness } from '#query/mcp/http/readiness.js';
import type { Log } from '../embedded/plain-log.js';
import { systemSources } from '../embedded/system-sources.js';
import { version } from '../version.js';
import { type Engines, openEngines } from './engines.js';
import { startHealth } from './health/start-health.js';
import type { Telemetry } from './open-telemetry.js';
import type { Role } from './roles/role.js';
import type { IngestRole } from './roles/start-ingest.js';
import type { QueryRole } from './roles/start-query.js';
import type { Waiting } from './until-there.js';

export const serviceRoles = ['ingest', 'relay', 'projector', 'query'] as const;
export type ServiceRole = (typeof serviceRoles)[number];

/** A process that serves some roles. */
export interface ServedRoles {
  /** Where health is, and MCP where it is served. */
  readonly url: string;
  /** Resolves when all of its roles do their work; rejects when one cannot. */
  readonly started: Promise<void>;
  /** Takes nothing more, finishes what is in flight, closes everything. */
  close(): Promise<void>;
}

const neededBy: Readonly<Record<ServiceRole, readonly SettingName[]>> = {
  ingest: ['eventstoreUrl', 'keysUrl', 'postgresUrl'],
  relay: ['eventstoreUrl', 'kafkaBrokers'],
  projector: ['eventstoreUrl', 'kafkaBrokers', 'postgresUrl', 'keysUrl'],
  query: ['eventstoreUrl', 'postgresUrl', 'keysUrl', 'ingestUrl'],
};

/** Milliseconds that a service waits for what is not there yet. A container that ended with a reason is started again. */
const waitWithinMs = 60_000;
/** Milliseconds that calls in flight get when the process stops: a write may be waiting for ingest so long. */
const stopWithinMs = 25_000;

/**
 * Listens at once, so that health can be asked, then starts the roles as what they need comes up.
 * @throws HindsightError invalid_config · unreachable when it cannot listen
 */
export async function serveRoles(
  asked: readonly ServiceRole[],
  { config, log, telemetry }: { config: Config; log: Log; telemetry: Telemetry },
): Promise<ServedRoles> {
  const named = asked.length > 1 ? 'The distributed profile' : `The role ${asked[0]}`;
  requireSettings(config, [...new Set(asked.flatMap((role) => neededBy[role]))], named);
  const stopping = new AbortController();
  const waiting: Waiting = {
    log,
    signal: stopping.signal,
    until: Date.now() + waitWithinMs,
    missing: new Map(asked.map((role) => [role, `${role}: starting`])),
  };
  const engines = openEngines({
    config,
    log,
    sources: systemSources,
    makesKeys: asked.includes('ingest'),
    openingPatience: 1_000,
    meters: telemetry.meters,
  });
  const parts = { config, log, sources: systemSources, engines, waiting, telemetry };
  const roles: Role[] = [];
  let ingest: IngestRole | undefined;
  let query: QueryRole | undefined;
  const missing = async () => {
    if (stopping.signal.aborted) return ['it is stopping'];
    const looked = await Promise.all(roles.map((role) => role.missing()));
    return [...waiting.missing.values(), ...new Set(looked.flat())];
  };
  const without = async () => {
    const looked = await Promise.all(roles.map((role) => role.without()));
    return [...new Set(looked.flat())];
  };

  async function start(role: ServiceRole): Promise<void> {
    // Each role loads its own drivers.
    if (role === 'ingest') {
      const { startIngest } = await import('./roles/start-ingest.js');
      ingest = await startIngest(parts);
      roles.push(ingest);
    } else if (role === 'relay') {
      const { startRelay } = await import('./roles/start-relay.js');
      roles.push(await startRelay(parts));
    } else if (role === 'projector') {
      const { startProjector } = await import('./roles/start-projector.js');
      roles.push(await startProjector(parts, () => ingest?.commands));
    } else {
      const { startQuery } = await import('./roles/start-query.js');
      query = await startQuery(parts, ingest?.commands);
      roles.push(query);
    }
    waiting.missing.delete(role);
    log.info({ role }, `${role} is there`);
  }

  const face = asked.includes('query')
    ? await listenForMcp({ config, log, engines, telemetry, missing, without, query: () => query })
    : await startHealth({ missing, without }, telemetry.metrics, config.httpHost, config.httpPort);

  // Ingest makes the keys and the projector the views, which query waits for; in one process query takes its commands there.
  const started = (async () => {
    await Promise.all(asked.filter((role) => role !== 'query').map(start));
    if (asked.includes('query')) await start('query');
  })();
  started.catch(() => undefined);

  return {
    url: face.url,
    started,
    async close() {
      stopping.abort();
      await started.catch(() => undefined);
      await face.close();
      // Questions end first, then commands, then what carries their events on.
      for (const role of roles.splice(0).reverse()) await role.close();
      await engines.close();
      await telemetry.close();
    },
  };
}

interface Face extends Required<Readiness> {
  readonly config: Config;
  readonly log: Log;
  readonly engines: Engines;
  readonly telemetry: Telemetry;
  readonly query: () => QueryRole | undefined;
}

async function listenForMcp({ config, log, engines, telemetry, missing, without, query }: Face) {
  const there = (): QueryRole => {
    const role = query();
    if (role) return role;
    throw new HindsightError('unreachable', 'This service waits for what it needs; /health/ready says what that is.');
  };
  const local = localRateLimit(config.rateLimit);
  const app = await createHttpApp({
    get commands() {
      return there().commands;
    },
    get queries() {
      return there().queries;
    },
    log,
    version,
    allowedHosts: config.httpAllowedHosts,
    allowedOrigins: config.httpAllowedOrigins,
    limits: { stopWithinMs },
    metrics: telemetry.metrics,
    tracer: telemetry.tracer,
    rateLimit:
      config.rateLimit === 0
        ? undefined
        : {
            async take(token, calls) {
              const hot = await engines.hot();
              return (hot?.rateLimit(config.rateLimit, local) ?? local).take(token, calls);
            },
          },
    missing,
    without,
    authenticate: (bearer) => there().authenticate(bearer),
  });
  const { url } = await app.listen(config.httpPort, config.httpHost);
  return { url, close: () => app.close() };
}

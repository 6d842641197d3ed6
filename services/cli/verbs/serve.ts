import { localRateLimit } from '#access/rate-limit.js';
import { createLogger } from '#config/logger.js';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { bankNames } from '../embedded/bank-names.js';
import type { Opened } from '../opened.js';
import { oneOf } from '../options.js';
import { type Run, verb } from '../verb.js';
import { version } from '../version.js';

interface Options {
  role?: 'ingest' | 'relay' | 'projector' | 'query' | 'all';
}

const roleNames = ['ingest', 'relay', 'projector', 'query', 'all'] as const;

export const serve = () =>
  verb<Options>(
    'serve',
    'MCP over HTTP for many clients; each brings a token (see `token create`)',
    async (run, { role }) => {
      if (run.loaded.config.profile === 'distributed') return serveDistributed(run, role ?? 'all');
      if (role !== undefined && role !== 'all')
        throw new HindsightError(
          'invalid_input',
          `--role ${role} is of the distributed profile; in the embedded one a process serves everything.`,
        );
      return serveHome(run);
    },
    ['httpPort', 'httpHost', 'httpAllowedHosts', 'httpAllowedOrigins', 'ingestHost', 'ingestPort', 'ingestUrl'],
  )
    .option('--port, --http-port <port>', 'where to listen; 0 takes any free port')
    .option('--host, --http-host <address>', '127.0.0.1 by default')
    .option('--http-allowed-hosts <list>', 'further Host headers to accept')
    .option('--http-allowed-origins <list>', 'Origin headers to accept from browsers')
    .addOption(
      oneOf('--role <role>', 'in the distributed profile: one service of it, or all in this process', roleNames),
    )
    .option('--ingest-host <address>', 'of the role ingest: 127.0.0.1 by default')
    .option('--ingest-port <port>', 'of the role ingest: where it takes commands')
    .option('--ingest-url <list>', 'of the role query: ingest services as host:port');

async function serveDistributed(run: Run, role: (typeof roleNames)[number]): Promise<void> {
  const { config } = run.loaded;
  const { openTelemetry } = await import('../distributed/open-telemetry.js');
  const { logFaults } = await import('../distributed/log-faults.js');
  const { serveRoles, serviceRoles } = await import('../distributed/serve-roles.js');
  const telemetry = await openTelemetry(config, role);
  const log = createLogger(config.logLevel, undefined, telemetry.traceId);
  logFaults(log);
  const roles = role === 'all' ? serviceRoles : [role];
  const served = await serveRoles(roles, { config, log, telemetry });
  try {
    // Whoever started it hears of it when it works, or why it does not; health answers from the beginning.
    await Promise.race([served.started, untilAborted(run.signal)]);
    if (!run.signal.aborted) {
      const mcp = roles.includes('query') ? { mcp: `${served.url}/mcp`, sse: `${served.url}/sse` } : {};
      run.out.answer({ url: served.url, role, ...mcp }, () =>
        'mcp' in mcp
          ? `Listening: ${mcp.mcp} (older clients: ${mcp.sse})`
          : `Running: ${role}, health at ${served.url}`,
      );
      await untilAborted(run.signal);
      log.info({ role }, 'stopping: what is in flight is finished first');
    }
  } finally {
    await served.close();
  }
  run.exitWith(0);
}

async function serveHome(run: Run): Promise<void> {
  const { config } = run.loaded;
  const log = createLogger(config.logLevel);
  const opened = await run.open({ log, missingBank: 'make' });
  const { createHttpApp } = await import('#query/mcp/http/create-http-app.js');
  const { startApplication } = await import('../embedded/start-application.js');
  const services = await startApplication(opened);
  const tokens = await opened.tokens();
  const names = bankNames(opened);
  const app = await createHttpApp({
    commands: opened.commands,
    queries: opened.queries,
    log,
    version,
    allowedHosts: config.httpAllowedHosts,
    allowedOrigins: config.httpAllowedOrigins,
    rateLimit: config.rateLimit === 0 ? undefined : localRateLimit(config.rateLimit),
    missing: () => missing(opened),
    async authenticate(bearer) {
      const found = await tokens.authenticate(bearer);
      return found && { ...found, bankName: (await names.of(found.bank)) ?? found.bank };
    },
  });
  const { url } = await app.listen(config.httpPort, config.httpHost).catch(async (error: unknown) => {
    await services.close();
    throw error;
  });
  run.out.answer(
    { url, mcp: `${url}/mcp`, sse: `${url}/sse` },
    () => `Listening: ${url}/mcp (older clients: ${url}/sse)`,
  );
  if (!(await tokens.list()).some((token) => !token.revoked))
    run.out.note('No token yet, so nobody can connect: hindsight-ledger token create NAME');
  await untilAborted(run.signal);
  log.info({}, 'stopping: calls in flight are answered first');
  await app.close();
  await services.close();
  run.exitWith(0);
}

/** What keeps questions from being answered, in words. */
async function missing({ ledger, projector }: Opened): Promise<string[]> {
  try {
    await ledger.head();
    await projector.catchUp();
    return [];
  } catch (error) {
    return [isHindsightError(error) ? error.message : 'The ledger cannot be read.'];
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

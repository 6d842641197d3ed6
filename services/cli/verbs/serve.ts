import { createLogger } from '#config/logger.js';
import { isHindsightError } from '#contract/errors.js';
import { bankNames } from '../embedded/bank-names.js';
import type { Embedded } from '../embedded/open-embedded.js';
import { verb } from '../verb.js';
import { version } from '../version.js';

export const serve = () =>
  verb(
    'serve',
    'MCP over HTTP for many clients; each brings a token (see `token create`)',
    async (run) => {
      const { config } = run.loaded;
      const log = createLogger(config.logLevel);
      const embedded = await run.open({ log, missingBank: 'make' });
      const { createHttpApp } = await import('#query/mcp/http/create-http-app.js');
      const { startApplication } = await import('../embedded/start-application.js');
      const services = await startApplication(embedded);
      const tokens = await embedded.tokens();
      const names = bankNames(embedded);
      const app = await createHttpApp({
        commands: embedded.commands,
        queries: embedded.queries,
        log,
        version,
        allowedHosts: config.httpAllowedHosts,
        allowedOrigins: config.httpAllowedOrigins,
        missing: () => missing(embedded),
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
    },
    ['httpPort', 'httpHost', 'httpAllowedHosts', 'httpAllowedOrigins'],
  )
    .option('--port, --http-port <port>', 'where to listen; 0 takes any free port')
    .option('--host, --http-host <address>', '127.0.0.1 by default')
    .option('--http-allowed-hosts <list>', 'further Host headers to accept')
    .option('--http-allowed-origins <list>', 'Origin headers to accept from browsers');

/** What keeps questions from being answered, in words. */
async function missing({ ledger, projector }: Embedded): Promise<string[]> {
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

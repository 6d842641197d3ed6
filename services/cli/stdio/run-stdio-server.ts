import { localPrincipal } from '#access/local-principal.js';
import { loadConfig } from '#config/load-config.js';
import { createLogger } from '#config/logger.js';
import type { CommandPort } from '#contract/command-port.js';
import { isHindsightError } from '#contract/errors.js';
import type { QueryPort } from '#contract/query-port.js';
import { COMMANDS } from '#ingest/ingest.module.js';
import { serveStdio } from '#query/mcp/serve-stdio.js';
import { takeOverStdout } from '#query/mcp/stdio/own-stdout.js';
import { QUERIES } from '#query/query.module.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { startApplication } from '../embedded/start-application.js';
import { exitCodeOf } from '../exit-codes.js';
import type { Opened, OpenOptions } from '../opened.js';
import { refuseOwnKeyBackup } from '../output-file.js';
import type { ServerFlags } from '../server-flags.js';
import { version } from '../version.js';
import { keepHeapSmall } from './small-heap.js';

/** Serves one MCP client over stdin and stdout until it goes or a signal comes, then exits. */
export async function runStdioServer(flags: ServerFlags): Promise<never> {
  keepHeapSmall();
  const stdout = takeOverStdout();
  if (process.stdin.isTTY)
    process.stderr.write(
      'This is the MCP server over stdio: it waits for a client. `hindsight-ledger --help` shows the verbs.\n',
    );
  try {
    process.exit(await serve(flags, stdout));
  } catch (error) {
    const said = isHindsightError(error) ? `${error.code}: ${error.message} ${error.hint}` : (error as Error).stack;
    process.stderr.write(`hindsight-ledger: ${said}\n`);
    process.exit(exitCodeOf(error));
  }
}

async function serve(flags: ServerFlags, stdout: ReturnType<typeof takeOverStdout>): Promise<number> {
  const loaded = loadConfig({ flags });
  refuseOwnKeyBackup(loaded);
  const { config, warnings } = loaded;
  const log = createLogger(config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  // What a library leaves unhandled ends no server that is serving, nor one that is starting.
  const unhandled = (reason: unknown) =>
    log.error({ error: reason instanceof Error ? reason.name : typeof reason }, 'a rejection that nobody handled');
  process.on('unhandledRejection', unhandled);
  const opened = await openProfile({ config, log, embeds: true });
  const app = await startApplication(opened);
  try {
    log.info({ version, bank: opened.bank }, 'stdio server is ready');
    const serving = serveStdio({
      stdout,
      commands: app.get<CommandPort>(COMMANDS),
      queries: app.get<QueryPort>(QUERIES),
      caller: { bank: opened.bank, principal: localPrincipal(), roles: config.roles },
      bankName: config.bank,
      log,
      version,
    });
    process.off('unhandledRejection', unhandled);
    return (await serving).exitCode;
  } finally {
    await app.close();
  }
}

/** As `open`, which verbs use: but the embedded profile is what agents wait for at every start, so it is not looked for first. */
async function openProfile(options: OpenOptions): Promise<Opened> {
  if (options.config.profile === 'embedded') return openEmbedded(options);
  const { openDistributed } = await import('../distributed/open-distributed.js');
  return openDistributed(options);
}

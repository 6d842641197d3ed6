import { localPrincipal } from '#access/local-principal.js';
import { loadConfig } from '#config/load-config.js';
import { createLogger } from '#config/logger.js';
import type { Config } from '#config/settings.js';
import { isHindsightError } from '#contract/errors.js';
import { serveStdio } from '#query/mcp/serve-stdio.js';
import { takeOverStdout } from '#query/mcp/stdio/own-stdout.js';
import { exitCodeOf } from '../exit-codes.js';
import type { Opened, OpenOptions } from '../opened.js';
import { refuseOwnKeyBackup } from '../output-file.js';
import type { ServerFlags } from '../server-flags.js';
import { version } from '../version.js';
import { afterwards } from './afterwards.js';
import { keepHeapSmall } from './small-heap.js';

/**
 * Serves one MCP client over stdin and stdout until it goes or a signal comes, then exits.
 * @param profile that `open` opens: where the configuration names another, nothing is done, and it returns
 */
export async function runStdioServer(
  flags: ServerFlags,
  profile: Config['profile'],
  open: (options: OpenOptions) => Promise<Opened>,
): Promise<void> {
  try {
    const loaded = loadConfig({ flags });
    if (loaded.config.profile !== profile) return;
    keepHeapSmall();
    const stdout = takeOverStdout();
    if (process.stdin.isTTY)
      process.stderr.write(
        'This is the MCP server over stdio: it waits for a client. `hindsight-ledger --help` shows the verbs.\n',
      );
    process.exit(await serve(loaded, stdout, open));
  } catch (error) {
    const said = isHindsightError(error) ? `${error.code}: ${error.message} ${error.hint}` : (error as Error).stack;
    process.stderr.write(`hindsight-ledger: ${said}\n`);
    process.exit(exitCodeOf(error));
  }
}

async function serve(
  loaded: ReturnType<typeof loadConfig>,
  stdout: ReturnType<typeof takeOverStdout>,
  open: (options: OpenOptions) => Promise<Opened>,
): Promise<number> {
  refuseOwnKeyBackup(loaded);
  const { config, warnings } = loaded;
  const log = createLogger(config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  // What a library leaves unhandled ends no server that is serving, nor one that is starting.
  const unhandled = (reason: unknown) =>
    log.error({ error: reason instanceof Error ? reason.name : typeof reason }, 'a rejection that nobody handled');
  process.on('unhandledRejection', unhandled);
  const opened = await open({ config, log, embeds: true });
  // What works in the background is a third of what is loaded at a start, and the first answer needs none of it.
  let closing: (() => Promise<void>) | undefined = opened.close;
  const background = afterwards(
    async () => {
      const { startApplication } = await import('../embedded/start-application.js');
      const application = await startApplication(opened);
      closing = undefined;
      return () => application.close();
    },
    (error) => log.error({ error: (error as Error).name }, 'nothing is done in the background'),
  );
  try {
    log.info({ version, bank: opened.bank }, 'stdio server is ready');
    const serving = serveStdio({
      stdout,
      commands: opened.commands,
      queries: opened.queries,
      caller: { bank: opened.bank, principal: localPrincipal(), roles: config.roles },
      bankName: config.bank,
      log,
      version,
      onAnswered: background.answered,
    });
    process.off('unhandledRejection', unhandled);
    return (await serving).exitCode;
  } finally {
    await background.close();
    await closing?.();
  }
}

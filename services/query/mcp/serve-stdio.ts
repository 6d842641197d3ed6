import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createMcpServer, type McpServerDeps } from './create-mcp-server.js';
import type { OwnedStdout } from './stdio/own-stdout.js';
import { createStdioTransport, type StdioTransport } from './stdio/stdio-transport.js';

export interface StdioDeps extends McpServerDeps {
  /** From `takeOverStdout()`, which the command calls before anything else. */
  readonly stdout: OwnedStdout;
  /** Standard input of the process where nothing else is given. */
  readonly stdin?: Readable;
  /** Told of each tool call that was answered. */
  readonly onAnswered?: () => void;
}

export interface StdioEnd {
  readonly reason: 'stdin closed' | 'stdout closed' | 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'fault';
  /** 0, or 1 after a fault. */
  readonly exitCode: 0 | 1;
}

/** Milliseconds that calls in flight get to finish: clients kill a server that takes much longer. */
const finishWithinMs = 5_000;
/** Milliseconds that a client gets to read the last answers. */
const readWithinMs = 1_000;
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Serves one client over stdio until stdin closes, stdout breaks, a signal comes or something throws that nobody caught.
 * Calls in flight are then answered and `commands.flush()` has run when the promise resolves: close the stores and exit
 * with `exitCode`. A second signal exits at once.
 */
export async function serveStdio(deps: StdioDeps): Promise<StdioEnd> {
  const { stdout, stdin = process.stdin, log, commands, onAnswered } = deps;
  const transport = createStdioTransport(stdin, stdout, onAnswered);
  const ended = endOf(stdin, deps);
  await createMcpServer(deps).connect(transport);
  const end = await ended;
  log.info({ reason: end.reason }, 'stdio server ends');
  await finish(transport, deps);
  await commands.flush();
  await stdout.flush(readWithinMs);
  await transport.close();
  return end;
}

async function finish(transport: StdioTransport, { log }: StdioDeps): Promise<void> {
  transport.stopReading();
  if (!(await transport.answered(finishWithinMs)))
    log.warn({ waitedMs: finishWithinMs }, 'calls in flight did not finish in time');
}

function endOf(stdin: Readable, { stdout, log }: StdioDeps): Promise<StdioEnd> {
  return new Promise((resolve) => {
    const end = (reason: StdioEnd['reason'], exitCode: 0 | 1 = 0) => resolve({ reason, exitCode });
    stdin.once('end', () => end('stdin closed'));
    stdin.once('close', () => end('stdin closed'));
    stdin.once('error', () => end('stdin closed'));
    stdout.onError(() => end('stdout closed'));
    for (const signal of signals) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        end(signal);
      });
    }
    process.on('unhandledRejection', (reason) => log.error(fault(reason), 'a rejection that nobody handled'));
    process.on('uncaughtException', (error) => {
      log.error(fault(error), 'an exception that nobody caught');
      end('fault', 1);
    });
  });
}

/** The kind and place of a fault, not its message, which may quote content. */
function fault(error: unknown): object {
  const at = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return { errorId: randomUUID(), error: error instanceof Error ? error.name : typeof error, at: at.slice(0, 8) };
}

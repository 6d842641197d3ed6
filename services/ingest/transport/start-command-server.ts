import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { CommandPort } from '#contract/command-port.js';
import { HindsightError } from '#contract/errors.js';
import { openGate, Refused } from './admit-call.js';
import { answeredCalls } from './answered-calls.js';
import { commandModule } from './command.module.js';
import { CommandServer } from './command-server.js';
import type { TransportLog } from './perform-call.js';

export interface CommandListener {
  readonly host: string;
  readonly port: number;
  /** Takes no more calls, answers what is in flight, closes. The commands stay open. */
  close(): Promise<void>;
}

export interface CommandListenerOptions {
  readonly commands: CommandPort;
  /** The vault's. */
  readonly serviceKey: () => Promise<Uint8Array>;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly log: TransportLog;
  readonly now?: () => number;
  readonly stopWithinMs?: number;
}

/** Listens for the calls of query services. @throws HindsightError unreachable when it cannot listen there */
export async function startCommandServer(options: CommandListenerOptions): Promise<CommandListener> {
  const { commands, serviceKey, host, port, log, now = Date.now, stopWithinMs = 20_000 } = options;
  const answered = answeredCalls(now);
  const server = new CommandServer({ host, port, answered, log, stopWithinMs });
  const admitted = openGate(serviceKey, now);
  const gate: typeof admitted = async (frame) => {
    if (server.stopping) throw new Refused('stopping', 'This ingest service is stopping.');
    return admitted(frame);
  };
  const app = await NestFactory.createMicroservice(commandModule({ commands, serviceKey, gate, answered, log }), {
    strategy: server,
    logger: false,
    abortOnError: false,
  });
  const failed = new Promise<never>((_, reject) => {
    server.on('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause)));
  });
  failed.catch(() => undefined);
  await Promise.race([app.listen(), failed]).catch((error: unknown) => {
    throw error instanceof HindsightError ? error : cannotListen(host, port, error as NodeJS.ErrnoException);
  });
  return { host, port: server.address.port, close: () => app.close() };
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): HindsightError {
  const why: Record<string, string> = {
    EADDRINUSE: 'another program listens there',
    EACCES: 'this user may not use that port',
    EADDRNOTAVAIL: 'this machine has no such address',
  };
  const sentence = `Cannot listen for commands on ${host} port ${port}: ${why[cause.code ?? ''] ?? cause.code}.`;
  return new HindsightError('unreachable', sentence, { host, port }, { cause });
}

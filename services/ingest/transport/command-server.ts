import type { AddressInfo, Socket } from 'node:net';
import { ServerTCP } from '@nestjs/microservices';
import { largestCall } from '#contract/command-transport/call.js';
import type { AnsweredCalls } from './answered-calls.js';
import type { TransportLog } from './perform-call.js';

/** Milliseconds that answers get to leave when the service stops. */
const leaveWithinMs = 1_000;

export interface CommandServerOptions {
  readonly host: string;
  readonly port: number;
  readonly answered: AnsweredCalls;
  readonly log: TransportLog;
  /** Milliseconds that calls in flight get when the service stops. */
  readonly stopWithinMs: number;
}

/**
 * Nest's TCP transport, which otherwise cuts every connection when it closes, answers on their way included, and logs what it could
 * not read, content included.
 */
export class CommandServer extends ServerTCP {
  #stopping = false;
  #stopped: Promise<void> | undefined;
  readonly #options: CommandServerOptions;

  constructor(options: CommandServerOptions) {
    // A call's text is escaped once more in its frame.
    super({ host: options.host, port: options.port, maxBufferSize: 2 * largestCall, incompleteMessageTimeout: 30_000 });
    this.#options = options;
  }

  /** Whether calls are refused by now: whoever made them goes to another service. */
  get stopping(): boolean {
    return this.#stopping;
  }

  get address(): AddressInfo {
    return this.server.address() as AddressInfo;
  }

  /** Takes no more calls, answers what is in flight, then closes. */
  override close(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping = true;
    const { answered, log, stopWithinMs } = this.#options;
    this.server.close();
    if (!(await answered.settled(stopWithinMs)))
      log.warn({ waitedMs: stopWithinMs }, 'calls in flight did not finish in time');
    // Answers are handed to a connection in a later turn than they are made.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all([...this.openSockets].map((socket) => left(socket as Socket)));
    super.close();
  }

  protected override handleError(error: unknown): void {
    const code = (error as NodeJS.ErrnoException | null)?.code;
    this.#options.log.debug({ error: code ?? (error as Error | null)?.name }, 'a connection failed');
  }
}

/** Ends a connection when what was written to it has left. */
function left(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, leaveWithinMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.end();
  });
}

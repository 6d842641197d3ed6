import { ClientTCP } from '@nestjs/microservices/client/client-tcp.js';
import {
  type AnswerFrame,
  answerFrame,
  type CallFrame,
  commandPattern,
  type Refusal,
  refusal,
} from '#contract/command-transport/call.js';

/** How one try of a call ended. */
export type Tried =
  | { readonly is: 'answered'; readonly frame: AnswerFrame }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** Nothing was sent. */
  | { readonly is: 'unreached'; readonly why: string }
  /** It was sent, and may have been performed. */
  | { readonly is: 'unanswered'; readonly why: 'late' | 'cut' };

/** One ingest service. */
export interface CommandConnection {
  /** host:port */
  readonly address: string;
  attempt(frame: CallFrame, withinMs: number): Promise<Tried>;
  close(): void;
}

/** Milliseconds that a connection may take to be made. */
const connectWithinMs = 2_000;

/** Characters of an answer: one of 500 items, errors and all, takes a few hundred thousand. */
const largestAnswer = 32 * 1024 * 1024;

/** Nest's TCP transport without its own lines in the log: how a call ended is told by who made it. */
class QuietClient extends ClientTCP {
  /** Milliseconds, as of `performance.now()`. */
  heardAt = 0;

  override handleError(): void {}

  override handleResponse(answer: unknown): Promise<void> {
    this.heardAt = performance.now();
    return super.handleResponse(answer);
  }
}

/** Connects at the first call, and again whenever the connection was lost. @param address host:port, or [address]:port */
export function commandConnection(address: string): CommandConnection {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const client = new QuietClient({ host, port: Number(port), maxBufferSize: largestAnswer });
  return {
    address,
    async attempt(frame, withinMs) {
      const began = performance.now();
      try {
        await within(Math.min(connectWithinMs, withinMs), client.connect());
      } catch (error) {
        client.close();
        return { is: 'unreached', why: error instanceof Late ? 'no answer' : nameOf(error) };
      }
      const sentAt = performance.now();
      const tried = await sent(client, frame, withinMs - (sentAt - began));
      // A connection on which nothing was heard meanwhile may lead nowhere: a host that was switched off says no goodbye.
      if (tried.is === 'unanswered' && tried.why === 'late' && client.heardAt < sentAt) client.close();
      return tried;
    },
    close: () => client.close(),
  };
}

function sent(client: ClientTCP, frame: CallFrame, withinMs: number): Promise<Tried> {
  return new Promise((resolve) => {
    const end = (tried: Tried) => {
      clearTimeout(timer);
      resolve(tried);
      subscription.unsubscribe();
    };
    const timer = setTimeout(() => end({ is: 'unanswered', why: 'late' }), Math.max(withinMs, 1));
    const subscription = client.send<unknown>(commandPattern, frame).subscribe({
      next(answer) {
        const read = answerFrame.safeParse(answer);
        end(read.success ? { is: 'answered', frame: read.data } : { is: 'unanswered', why: 'cut' });
      },
      error(error) {
        const refused = refusal.safeParse(error);
        end(refused.success ? { is: 'refused', refusal: refused.data } : { is: 'unanswered', why: 'cut' });
      },
    });
  });
}

class Late extends Error {}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late()), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function nameOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? (error instanceof Error ? error.name : 'unknown');
}

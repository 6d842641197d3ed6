import { BaseRpcContext, type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { HindsightError } from '#contract/errors.js';
import type { FedBatch } from './feed.js';

/** Consumes feeds until the signal aborts; resolves when what was being applied is. Each batch goes to `deliver`, which rejects when it must come again. */
export type Consuming = (
  signal: AbortSignal,
  deliver: (projection: string, batch: FedBatch) => Promise<void>,
) => Promise<void>;

/** Which projection a handler of several is asked to apply a batch for. */
export class FeedContext extends BaseRpcContext<[string]> {
  get projection(): string {
    return this.getArgByIndex(0);
  }
}

/**
 * The feed as a transport of Nest: the handler whose pattern is a projection's name gets its batches as payloads, with the guards and
 * interceptors that it has. Listening begins to consume, closing ends it. Handlers are `@MessagePattern`s: what an
 * `@EventPattern` throws is only logged by Nest, and would count as applied.
 */
export class FeedStrategy extends Server implements CustomTransportStrategy {
  readonly #consuming: Consuming;
  readonly #closing = new AbortController();
  #running = Promise.resolve();

  constructor(consuming: Consuming) {
    super();
    this.#consuming = consuming;
  }

  listen(callback: (error?: unknown) => void): void {
    this.#running = this.#consuming(this.#closing.signal, (projection, batch) => this.#deliver(projection, batch));
    // Whoever closes hears of it.
    this.#running.catch(() => {});
    callback();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #deliver(projection: string, batch: FedBatch): Promise<void> {
    const handler = this.getHandlerByPattern(projection);
    if (!handler) throw new HindsightError('internal', `Nothing handles the projection ${projection}.`, { projection });
    const answer = this.transformToObservable(handler(batch, new FeedContext([projection])));
    await lastValueFrom(answer, { defaultValue: undefined });
  }

  /** There is no connection of its own to tell of. */
  on(): never {
    throw new TypeError('The feed as a transport has no events.');
  }

  unwrap<T>(): T {
    throw new TypeError('The feed as a transport has nothing inside.');
  }
}

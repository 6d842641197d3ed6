import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  Module,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { describe, expect, it } from 'vitest';
import { until } from './feed.contract.js';
import type { FedBatch } from './feed.js';
import { FeedFailureFilter } from './feed-failure.filter.js';
import { FeedContext, FeedStrategy } from './feed-strategy.js';
import { fedEvent, markAt } from './test-support/feed-events.js';
import { createMemoryFeed } from './test-support/memory-feed.js';

const applied: [string, FedBatch][] = [];
const intercepted: string[] = [];
const refusals: unknown[] = [];

@Injectable()
class Intercepts {
  intercept(context: ExecutionContext, next: CallHandler) {
    intercepted.push(context.getType());
    return next.handle();
  }
}

@Controller()
@UseFilters(FeedFailureFilter)
@UseInterceptors(Intercepts)
class Applies {
  #isReady = false;

  @MessagePattern(['memories', 'stats'])
  async apply(@Payload() batch: FedBatch, @Ctx() context: FeedContext): Promise<void> {
    if (!this.#isReady) {
      this.#isReady = true;
      throw new RangeError('not yet');
    }
    applied.push([context.projection, batch]);
  }
}

@Module({ controllers: [Applies], providers: [Intercepts] })
class Consumers {}

describe('the feed as a transport of Nest', () => {
  it('hands batches to the handler of their projection through its interceptors, and the handler’s error to the feed', async () => {
    const { feed, openPublisher } = createMemoryFeed(1);
    const strategy = new FeedStrategy(async (signal, deliver) => {
      const consume = (projection: string) =>
        feed.consume(
          `${projection}.g1`,
          async (batch) =>
            deliver(projection, batch).catch((error: unknown) => {
              refusals.push(error);
              throw error;
            }),
          signal,
        );
      await Promise.all([consume('memories'), consume('stats')]);
    });
    const application = await NestFactory.createMicroservice(Consumers, { strategy, logger: false });
    await application.listen();
    const publisher = await openPublisher();
    await publisher.publish([fedEvent('l1', 1, 'b1')], undefined, markAt(1));
    await until(() => applied.length === 2);
    await application.close();
    expect(applied.map(([projection, { events }]) => [projection, events.length]).sort()).toEqual([
      ['memories', 1],
      ['stats', 1],
    ]);
    expect(refusals).toEqual([expect.objectContaining({ name: 'RangeError', message: 'not yet' })]);
    expect(intercepted).toEqual(['rpc', 'rpc', 'rpc']);
  });

  it('rejects what nothing handles', async () => {
    let refusal: unknown;
    const strategy = new FeedStrategy(async (_signal, deliver) => {
      const batch = { partition: 0, after: undefined, events: [], to: '1', systemTime: '' };
      await deliver('graph', batch).catch((error: unknown) => {
        refusal = error;
      });
    });
    const application = await NestFactory.createMicroservice(Consumers, { strategy, logger: false });
    await application.listen();
    await application.close();
    expect(refusal).toMatchObject({ code: 'internal', details: { projection: 'graph' } });
  });
});

import { join } from 'node:path';
import { type CallHandler, type ExecutionContext, Module } from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { FedBatch } from '../feed/feed.js';
import type { FeedContext } from '../feed/feed-strategy.js';
import { allProjections } from '../projections/all-projections.js';
import { settled } from '../test-support/fed-station.js';
import { mischievousFeed, relayTo } from '../test-support/mischievous-feed.js';
import { live, testHome } from '../test-support/test-home.js';
import { createFedProjector } from './create-fed-projector.js';
import { fedProjectorModule, fedTransport } from './fed-projector.module.js';

const log = { info: () => undefined, warn: () => undefined };
const names = allProjections.map(({ name }) => name);

it('projects as a microservice of Nest, through its interceptors, and has written its checkpoints when it is closed', async () => {
  const home = await testHome();
  const feed = mischievousFeed(1);
  const views = await openSqliteViews(join(home.folder, 'fed.db'), {
    ledger: home.ledger.id,
    shapes: allProjections,
    log,
  });
  const projector = createFedProjector({ ledger: home.ledger, views, vault: home.vault, log, feed });
  const seen: string[] = [];
  const interceptor = {
    intercept(context: ExecutionContext, next: CallHandler) {
      const { projection } = context.switchToRpc().getContext<FeedContext>();
      const batch = context.switchToRpc().getData<FedBatch>();
      seen.push(`${projection} ${batch.to}`);
      return next.handle();
    },
  };
  @Module({
    imports: [fedProjectorModule(projector)],
    providers: [{ provide: APP_INTERCEPTOR, useValue: interceptor }],
  })
  class Service {}

  await live(home.events, 20);
  const service = await NestFactory.createMicroservice(Service, { strategy: fedTransport(projector), logger: false });
  await service.listen();
  await relayTo(feed, home.ledger);
  await settled(views, home.ledger, names);
  await home.events.recallServed();
  await relayTo(feed, home.ledger);
  const head = await home.ledger.head();
  await expect.poll(() => names.filter((name) => seen.includes(`${name} ${head}`)), { timeout: 20_000 }).toEqual(names);
  await service.close();
  expect((await views.generations()).map(({ position }) => position)).toEqual(names.map(() => head));
  await views.close();
  await home.remove();
});

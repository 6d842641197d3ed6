import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withOwnEngine } from '#test/engines/with-engine.js';
import { badDay, printDays } from './aftermath.js';
import { type ChaosStack, loseViews, onDatabase, startChaosStack } from './chaos-stack.js';

const awayFor = 3_000;

withOwnEngine(
  'postgres',
  'redis',
  'kafka',
)('an engine that goes away in the middle of load', () => {
  let stack: ChaosStack;
  let token: string;
  beforeAll(async () => {
    stack = await startChaosStack();
    token = await stack.token();
  });
  afterAll(async () => {
    printDays();
    await stack?.close();
  });

  /** By name, what takes it away and what brings it back. */
  const engines: Record<string, { down: () => Promise<void>; up: () => Promise<void> }> = {
    EventStoreDB: { down: () => stack.eventStore!.kill(), up: () => stack.eventStore!.start() },
    Kafka: { down: () => stack.engines.kafka.kill(), up: () => stack.engines.kafka.start() },
    'the views database': { down: () => stack.engines.views.kill(), up: () => stack.engines.views.start() },
    'the keys database': { down: () => stack.engines.keys.kill(), up: () => stack.engines.keys.start() },
    Redis: { down: () => stack.engines.redis.kill(), up: () => stack.engines.redis.start() },
  };

  async function away(...names: readonly string[]): Promise<void> {
    for (const name of names) await engines[name]!.down();
    await sleep(awayFor);
    for (const name of names) await engines[name]!.up();
  }

  it.each(Object.keys(engines))('%s, killed and started again', async (name) => {
    await badDay(stack, token, `${name} killed`, () => away(name), { check: name !== 'Redis' });
  });

  it.each([
    ['Kafka', 'the views database'],
    ['EventStoreDB', 'the keys database'],
  ])('%s and %s at once', async (one, other) => {
    await badDay(stack, token, `${one} and ${other} killed`, () => away(one, other));
  });

  it('Kafka with all of its data', async () => {
    await badDay(stack, token, 'Kafka lost its data', async () => {
      await stack.engines.kafka.kill();
      await stack.engines.kafka.wipe();
      await stack.engines.kafka.start();
    });
  });

  it('the views database with all of its data', async () => {
    await badDay(stack, token, 'the views database lost', () => loseViews(stack));
  });

  it('Redis emptied again and again', async () => {
    await badDay(
      stack,
      token,
      'Redis flushed',
      async () => {
        const { default: Redis } = await import('ioredis');
        const client = new Redis.default(stack.engines.redis.url);
        for (let times = 0; times < 20; times++) {
          await client.flushall();
          await sleep(100);
        }
        client.disconnect();
      },
      { check: false },
    );
  });

  it('views that a release two versions older made', async () => {
    await badDay(stack, token, 'views two versions behind', async () => {
      await onDatabase(stack.databases.viewsAdminUrl, [
        'UPDATE hindsight.hl_generations SET version = version - 2',
        `UPDATE hindsight.hl_meta SET value = (value::bigint + 1)::text WHERE name = 'stamp'`,
      ]);
      await Promise.all(stack.of('projector').map((projector) => projector.kill()));
      for (const projector of stack.of('projector')) projector.start();
    });
    const active = await onDatabase(stack.databases.viewsAdminUrl, [
      'SELECT version FROM hindsight.hl_generations WHERE active AND version < 1',
    ]);
    expect(active).toEqual([]);
  });
});

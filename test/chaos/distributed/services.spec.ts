import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withOwnEngine } from '#test/engines/with-engine.js';
import { badDay, printDays } from './aftermath.js';
import { type ChaosStack, startChaosStack } from './chaos-stack.js';

/** CI runs a tenth; `npm run test:chaos` the full count. */
const rounds = process.env.HINDSIGHT_LEDGER_CHAOS === 'full' ? 100 : 10;

withOwnEngine(
  'postgres',
  'redis',
  'kafka',
)('a service that dies in the middle of load', () => {
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

  it(`loses nothing and doubles nothing over ${rounds} kills of services by chance`, async () => {
    const killed = new Map<string, number>();
    await badDay(stack, token, `${rounds} kills of services`, async () => {
      for (let round = 0; round < rounds; round++) {
        const service = stack.services[Math.floor(Math.random() * stack.services.length)]!;
        await service.kill();
        killed.set(service.role, (killed.get(service.role) ?? 0) + 1);
        await sleep(Math.random() * 1_000);
        service.start();
        await sleep(Math.random() * 500);
      }
      await stack.ready();
    });
    process.stdout.write(`killed: ${[...killed].map(([role, times]) => `${role} ${times}`).join(', ')}\n`);
  });

  it('is no loss where it is the whole of them at once', async () => {
    await badDay(stack, token, 'all services killed at once', async () => {
      await Promise.all(stack.services.map((service) => service.kill()));
      for (const service of stack.services) service.start();
      await stack.ready();
    });
  });

  it('may wake up and believe that it is the active relay still', async () => {
    const [one, other] = stack.of('relay');
    await badDay(stack, token, 'a relay paused, replaced and woken up', async () => {
      // Whichever of them is active: the other takes over, and is paused in its turn.
      for (const relay of [one!, other!]) {
        relay.pause();
        await sleep(15_000);
        relay.resume();
        await sleep(2_000);
      }
    });
    expect([one, other].filter((relay) => relay!.pid === undefined)).toEqual([]);
  });

  it('drains when it is told to stop: clients see no more than that it is away', async () => {
    const { load } = await badDay(stack, token, 'each service stopped and started in turn', async () => {
      for (const service of stack.services) {
        expect(await service.stop(), service.role).toBe(0);
        service.start();
        await service.ready();
      }
    });
    expect([...load.errors.keys()].filter((code) => !['connection', 'unreachable'].includes(code))).toEqual([]);
  });
});

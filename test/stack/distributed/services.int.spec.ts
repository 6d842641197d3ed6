import { afterAll, beforeAll, expect, it } from 'vitest';
import { withEngine } from '#test/engines/with-engine.js';
import { type Stack, startStack } from '../start-stack.js';

withEngine('postgres', 'redis', 'kafka')('the services of the distributed profile', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
    await stack.ready();
  });
  afterAll(async () => {
    if (process.env.STACK_LOG) for (const service of stack?.services ?? []) process.stderr.write(`--- ${service.role}\n${service.log()}\n`);
    await stack?.close();
  });

  it('let what was written through one be found through another', async () => {
    const client = await stack.client(await stack.token());
    for (let at = 0; at < 10; at++) {
      const t0 = performance.now();
      const written = await client.call('memory_write', { content: `deploys go out on day ${at}` });
      expect(written.isError, written.text).toBe(false);
      const t1 = performance.now();
      const found = await client.call('memory_search', { query: `deploys day ${at}`, top_k: 1 });
      expect(found.structured).toMatchObject({ items: [{ content: `deploys go out on day ${at}` }] });
      process.stderr.write(`${(t1 - t0).toFixed(0)} ${(performance.now() - t1).toFixed(0)}\n`);
    }
    await client.close();
  });

  it('stop when they are told to', async () => {
    for (const service of [...stack.services].reverse()) {
      const t = Date.now();
      expect(await service.stop()).toBe(0);
      process.stderr.write(`${service.role} stopped in ${Date.now() - t}\n`);
    }
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { expectAllThereOnce } from '#test/support/acknowledged.js';
import { type BuiltServer, startServer, temporaryHome } from '#test/support/built-server.js';

/** CI runs a tenth; `npm run test:chaos` the full count. */
const kills = process.env.HINDSIGHT_LEDGER_CHAOS === 'full' ? 200 : 20;
const home = temporaryHome();
afterAll(() => home.remove());

interface Load {
  readonly acknowledged: Set<string>;
  /** What was under way when a server died, with the idempotency key to send it again by. */
  readonly open: Map<string, string>;
}

/** Writes, searches, revises and forgets until the server dies under it. */
async function work(server: BuiltServer, round: number, agent: number, load: Load): Promise<void> {
  for (let write = 0; ; write++) {
    const content = `round ${round} agent ${agent} wrote item ${write}`;
    const idempotencyKey = `${round}/${agent}/${write}`;
    load.open.set(idempotencyKey, content);
    try {
      const answer = await server.call('memory_write', { content, idempotency_key: idempotencyKey });
      expect(answer.isError, answer.text).toBe(false);
      load.acknowledged.add(content);
      load.open.delete(idempotencyKey);
      if (write % 7 === 3) await server.call('memory_search', { query: `item ${write - 1}`, top_k: 3 });
      if (write % 11 === 5)
        await server.call('memory_write', {
          key: `slot ${agent}`,
          content: `slot of agent ${agent}, round ${round}, ${write}`,
        });
    } catch (error) {
      // Only the connection may fail: an assertion about an answer is a finding.
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      return;
    }
  }
}

it(`loses no acknowledged write and doubles none over ${kills} kills under load`, async () => {
  const load: Load = { acknowledged: new Set(), open: new Map() };
  for (let round = 0; round < kills / 2; round++) {
    const servers = await Promise.all([startServer(home.path), startServer(home.path)]);
    const working = servers.map((server, agent) => work(server, round, agent, load));
    for (const server of servers) {
      await sleep(Math.random() * 150);
      process.kill(server.pid, 'SIGKILL');
    }
    await Promise.all(working);
    await Promise.all(servers.map((server) => server.close().catch(() => undefined)));
  }
  const retrier = await startServer(home.path);
  for (const [key, content] of load.open) {
    const answer = await retrier.call('memory_write', { content, idempotency_key: key });
    expect(answer.isError, answer.text).toBe(false);
    load.acknowledged.add(content);
  }
  await retrier.close();
  expect(load.acknowledged.size).toBeGreaterThan(kills);
  await expectAllThereOnce(home.path, load.acknowledged);
});

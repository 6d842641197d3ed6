import { afterEach, expect, it } from 'vitest';
import { localRateLimit } from '#access/rate-limit.js';
import { type RedisEngine, startRedis } from '#test/engines/redis/start-redis.js';
import { withEngine } from '#test/engines/with-engine.js';
import { openHotStore } from './hot-store.js';
import { connected, hotBench, until } from './test-support/hot-bench.js';

let server: RedisEngine | undefined;
afterEach(async () => {
  server?.resume();
  await server?.remove();
  server = undefined;
});

withEngine('redis')('a Redis that fails', () => {
  it('is told once when it is lost and once when it is back, and comes back by itself, empty', async () => {
    server = await startRedis();
    const told: (string | undefined)[] = [];
    const store = await connected(server.url, { onTrouble: (reason) => void told.push(reason) });
    await store.ask((redis) => redis.set('key', 'value', 'PX', 60_000));
    await server.kill();
    await until(() => !store.isThere());
    for (let tries = 0; tries < 20; tries++) expect(await store.ask((redis) => redis.get('key'))).toBeUndefined();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^[A-Za-z_]+$/);
    await server.start();
    await until(async () => (await store.ask((redis) => redis.get('key'))) === null);
    expect(told).toEqual([told[0], undefined]);
    await store.close();
  });

  it('is not waited for while it hangs: after three commands that took too long, nobody waits', async () => {
    server = await startRedis();
    await using bench = await hotBench(server.url);
    const store = openHotStore(server.url, { timeoutMs: 20 });
    await until(async () => (await store.ask((redis) => redis.ping())) === 'PONG');
    server.pause();
    let sent = 0;
    const ask = () =>
      store.ask((redis) => {
        sent += 1;
        return redis.ping();
      });
    await until(async () => (await ask()) === undefined && !store.isThere());
    const before = sent;
    for (let tries = 0; tries < 1_000; tries++) await ask();
    expect(sent - before).toBeLessThan(5);
    server.resume();
    await until(async () => (await ask()) === 'PONG');
    await until(async () => {
      await bench.hot.heads.note('b', '1');
      return (await bench.hot.heads.last('b')) === '1';
    });
    await store.close();
  });

  it('leaves answers, facts and limits right while it is away, hangs, refuses or is emptied', async () => {
    server = await startRedis(['--maxmemory', '20mb', '--maxmemory-policy', 'noeviction']);
    await using bench = await hotBench(server.url);
    await bench.vault.bankKeys('b1');
    const running = server;
    let now = 0;
    const limit = bench.hot.rateLimit(
      2,
      localRateLimit(2, () => now),
    );
    const works = async (value: number) => {
      expect(await bench.hot.answers.answer('b1', ['question', value], async () => value)).toBe(value);
      await bench.hot.heads.note('b1', String(value));
    };
    const states: [string, () => Promise<unknown>][] = [
      ['there', async () => undefined],
      ['emptied', () => bench.store.ask((redis) => redis.flushall())],
      ['without its scripts', () => bench.store.ask((redis) => redis.script('FLUSH'))],
      ['full', () => bench.store.ask((redis) => redis.config('SET', 'maxmemory', '1'))],
      ['read only', () => bench.store.ask((redis) => redis.replicaof('127.0.0.1', '1'))],
      ['gone', () => running.kill()],
    ];
    for (const [at, [, become]] of states.entries()) {
      await become();
      for (let again = 0; again < 3; again++) await works(at);
    }
    expect(await limit.take('t', 2)).toEqual({ allowed: true });
    expect(await limit.take('t', 1)).toEqual({ allowed: false, retryAfterMs: 30_000 });
    now += 30_000;
    expect(await limit.take('t', 1)).toEqual({ allowed: true });
    expect(await bench.hot.purge('b1')).toBe(false);
    await running.start();
    await until(() => bench.hot.purge('b1'));
  });
});

import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withOwnEngine } from '../with-engine.js';
import { type RedisEngine, startRedis } from './start-redis.js';

withOwnEngine('redis')('a Redis of a test', () => {
  let redis: RedisEngine;
  let client: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    client.on('error', () => {});
  });
  afterAll(async () => {
    client?.disconnect();
    await redis?.remove();
  });

  it('is back on the same port after kill -9, empty', async () => {
    await client.set('key', 'value');
    expect(await client.get('key')).toBe('value');
    await redis.kill();
    await redis.start();
    expect(await client.get('key')).toBeNull();
  });

  it('answers nothing while it is paused', async () => {
    redis.pause();
    const late = client.ping();
    expect(await Promise.race([late, new Promise((resolve) => setTimeout(resolve, 200, 'nothing'))])).toBe('nothing');
    redis.resume();
    expect(await late).toBe('PONG');
  });

  it('takes further settings', async () => {
    const small = await startRedis(['--maxmemory', '4mb']);
    const other = new Redis(small.url);
    expect(await other.config('GET', 'maxmemory')).toEqual(['maxmemory', `${4 * 1024 * 1024}`]);
    other.disconnect();
    await small.remove();
  });
});

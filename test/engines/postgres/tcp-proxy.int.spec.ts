import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { engine } from '../engines.js';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.js';
import { withEngine } from '../with-engine.js';

withEngine('postgres')('a bad network before PostgreSQL', () => {
  let proxy: TcpProxy;
  beforeAll(async () => {
    proxy = await startTcpProxy(engine('postgres'));
  });
  afterEach(async () => {
    proxy.delay({});
    await proxy.pass();
  });
  afterAll(() => proxy?.close());

  async function connected(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: proxy.through(engine('postgres')),
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async function milliseconds(client: pg.Client): Promise<number> {
    const began = performance.now();
    await client.query('SELECT 1');
    return performance.now() - began;
  }

  it('passes everything on, in order, in large pieces too', async () => {
    const client = await connected();
    const text = 'x'.repeat(8 << 20);
    const { rows } = await client.query('SELECT $1::text || $1::text AS twice', [text]);
    expect(rows[0].twice.length).toBe(16 << 20);
    await client.end();
  });

  it('delays each direction by itself, and no less than was asked', async () => {
    const client = await connected();
    proxy.delay({ up: 120, down: 80 });
    expect(await milliseconds(client)).toBeGreaterThanOrEqual(199);
    proxy.delay({ down: 80 });
    expect(await milliseconds(client)).toBeGreaterThanOrEqual(79);
    await client.end();
  });

  it('cuts what is open and lets new ones through', async () => {
    const client = await connected();
    const cut = expect(client.query('SELECT pg_sleep(30)')).rejects.toThrow();
    proxy.cut();
    await cut;
    expect(proxy.connections).toBe(0);
    await (await connected()).end();
  });

  it('refuses, until it passes again', async () => {
    await proxy.refuse();
    await expect(connected()).rejects.toThrow(/ECONNREFUSED/);
    await proxy.pass();
    await (await connected()).end();
  });

  it('swallows, and what it swallowed arrives afterwards', async () => {
    const client = await connected();
    proxy.blackHole();
    const late = client.query('SELECT 1 AS n');
    expect(await Promise.race([late, new Promise((resolve) => setTimeout(resolve, 200, 'nothing'))])).toBe('nothing');
    await proxy.pass();
    expect((await late).rows).toEqual([{ n: 1 }]);
    await client.end();
  });
});

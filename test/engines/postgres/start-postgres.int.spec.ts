import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withOwnEngine } from '../with-engine.js';
import { type PostgresEngine, startPostgres } from './start-postgres.js';

withOwnEngine('postgres')('a PostgreSQL of a test', () => {
  let postgres: PostgresEngine;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.remove());

  async function query(sql: string, milliseconds = 10_000): Promise<readonly unknown[]> {
    const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: milliseconds });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
    } finally {
      await client.end();
    }
  }

  it('has pgvector with iterative scans', async () => {
    await query('CREATE EXTENSION vector');
    const distance = "'[1,2]'::vector <-> '[1,3]'::vector";
    expect(await query(`SELECT ${distance}, current_setting('hnsw.iterative_scan')`)).toEqual([1, 'off']);
  });

  it('keeps what was committed before kill -9, also while others write', async () => {
    await query('CREATE TABLE kept (n integer)');
    const writers = [1, 2, 3].map(() =>
      query('INSERT INTO kept SELECT * FROM generate_series(1, 100000000)').catch((error: Error) => error),
    );
    await query('INSERT INTO kept VALUES (-1)');
    await postgres.kill();
    for (const ended of await Promise.all(writers)) expect(ended).toBeInstanceOf(Error);
    await expect(query('SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
    await postgres.start();
    expect(await query('SELECT n FROM kept')).toEqual([-1]);
  });

  it('keeps its data over a stop', async () => {
    await query('CREATE TABLE stopped AS SELECT 7 AS n');
    await postgres.stop();
    await postgres.start();
    expect(await query('SELECT n FROM stopped')).toEqual([7]);
  });

  it('answers nothing while it is paused, neither old connections nor new ones', async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    postgres.pause();
    let answered = false;
    const late = client.query('SELECT 1').then(() => {
      answered = true;
    });
    await expect(query('SELECT 1', 300)).rejects.toThrow(/timeout/);
    expect(answered).toBe(false);
    postgres.resume();
    await late;
    await client.end();
  });

  it('is wiped when it does not run', async () => {
    await query('CREATE TABLE lost (n integer)');
    await expect(postgres.wipe()).rejects.toThrow(/stop or kill/);
    await postgres.stop();
    await postgres.wipe();
    await postgres.start();
    expect(await query("SELECT to_regclass('lost')")).toEqual([null]);
  });
});

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestDatabase } from '#test/engines/engines.js';
import { queryRole } from '../schema.js';

/** A role that may log in and do what a query service may. */
export interface QueryLogin {
  readonly url: string;
  drop(): Promise<void>;
}

/** @param database with views in it: `queryRole` is there */
export async function queryLogin(database: TestDatabase): Promise<QueryLogin> {
  const name = `hl_test_${randomBytes(6).toString('hex')}`;
  const server = new URL(database.url);
  server.pathname = '/postgres';
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client(server.href);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await run(`CREATE ROLE ${name} LOGIN IN ROLE ${queryRole}`);
  return { url: database.urlOf(name), drop: () => run(`DROP ROLE IF EXISTS ${name}`) };
}

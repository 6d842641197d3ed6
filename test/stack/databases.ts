import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The two databases of a stack on a running PostgreSQL, with the roles that infra/postgres/init-views.sh makes. */
export interface StackDatabases {
  /** As the projector's role, which owns the views. */
  readonly viewsUrl: string;
  /** As a role that only reads them. */
  readonly readerUrl: string;
  readonly keysUrl: string;
  /** As who is asked for, which may do everything. */
  readonly viewsAdminUrl: string;
  drop(): Promise<void>;
}

/**
 * @param server of the views, as a superuser who needs no password
 * @param keysServer of the keys; the same by default
 */
export async function stackDatabases(server: string, keysServer = server): Promise<StackDatabases> {
  const mark = randomBytes(6).toString('hex');
  const [views, keys] = [`hl_views_${mark}`, `hl_keys_${mark}`];
  const [owner, reader] = [`hl_owner_${mark}`, `hl_reader_${mark}`];
  const url = (at: string, database: string, user?: string) => {
    const made = new URL(at);
    made.pathname = `/${database}`;
    if (user !== undefined) made.username = user;
    return made.href;
  };
  await run(server, [
    // A role of the whole server: other tests may be making it.
    `DO $$ BEGIN CREATE ROLE hindsight_query NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
    `CREATE ROLE ${owner} LOGIN`,
    `CREATE ROLE ${reader} LOGIN IN ROLE hindsight_query`,
    `CREATE DATABASE ${views}`,
    `GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${views} TO ${owner}`,
  ]);
  await run(url(server, views), ['CREATE EXTENSION IF NOT EXISTS vector']);
  await run(keysServer, [`CREATE DATABASE ${keys}`]);
  return {
    viewsUrl: url(server, views, owner),
    readerUrl: url(server, views, reader),
    keysUrl: url(keysServer, keys),
    viewsAdminUrl: url(server, views),
    async drop() {
      await run(server, [`DROP DATABASE IF EXISTS ${views} WITH (FORCE)`]);
      await run(keysServer, [`DROP DATABASE IF EXISTS ${keys} WITH (FORCE)`]);
      await run(server, [`DROP ROLE IF EXISTS ${reader}`, `DROP ROLE IF EXISTS ${owner}`]);
    },
  };
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

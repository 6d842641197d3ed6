import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { HindsightError } from '#contract/errors.js';
import type { StoreTables } from './schema.js';
import { isCollision, isLost, toHindsightError } from './trouble.js';

/** What a views store logs: ids and places, never content. A pino logger is one. */
export interface ViewsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export type Role = 'projector' | 'query';

/** Connections to one database: made when they are needed, dropped when they break. Errors are HindsightErrors where one fits. */
export interface Connections {
  /** Host, port and database, without user and password: for messages. */
  readonly place: string;
  /**
   * Another one when the server may have forgotten commits that it had told of (they do not wait for its disk): it was started anew, or,
   * as seen by a projector, broke a connection.
   */
  readonly serverLife: string;
  /** Typed statements on the store's own tables. Raw errors: put `mapped` around it. */
  readonly kysely: Kysely<StoreTables>;
  /** One statement by itself. */
  run<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<R[]>;
  /** One statement by itself, rows as arrays. */
  arrays<R extends unknown[]>(query: pg.QueryConfig): Promise<R[]>;
  /**
   * All of `work` or nothing, at READ COMMITTED; again from the start when another transaction was in the way.
   * @param begin what it begins with; `work` gets the first row that this gave, if any
   */
  transaction<T>(
    work: (client: pg.ClientBase, begun: pg.QueryResultRow | undefined) => Promise<T>,
    begin?: string,
  ): Promise<T>;
  /** A connection beside the pool, for what takes long. The caller ends it. */
  own(): Promise<pg.Client>;
  /** Errors of `work` as HindsightErrors. */
  mapped<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Milliseconds until a connection must be there: a host that drops packets is told from a slow one. */
const connectWithin = 5_000;
/**
 * Milliseconds that a statement may take, as seen from here: a server that went away without a word is given up. Whoever asks a question
 * gives up after a minute (the default of MCP's SDK) and is to hear before then what is wrong.
 */
const answerWithin: Record<Role, number> = { projector: 60_000, query: 20_000 };
/** How often work is tried that other transactions get in the way of. */
const tries = 6;

/**
 * Of every session. No JIT: a statement over a thousand groups looks dear to the planner, and compiling it took longer than running it.
 * Nobody waits for a lock, or keeps one while it says nothing, for ever.
 */
const session = `SET jit = off; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'`;
/** A generic plan goes through the key's index; planning anew with every batch cost more than the batch's reads. */
const ofRole: Record<Role, string> = {
  projector: '; SET plan_cache_mode = force_generic_plan',
  query: '; SET default_transaction_read_only = on',
};

export function openConnections(url: string, options: { role: Role; poolSize: number; log: ViewsLog }): Connections {
  const config: pg.PoolConfig = {
    connectionString: url,
    application_name: `hindsight-ledger ${options.role}`,
    connectionTimeoutMillis: connectWithin,
    query_timeout: answerWithin[options.role],
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  };
  const setUp = `${session}${ofRole[options.role]}; SELECT pg_postmaster_start_time()::text AS started`;
  let started = '';
  let losses = 0;
  const lost = () => {
    if (options.role === 'projector') losses += 1;
  };
  const pool = new pg.Pool({
    ...config,
    max: options.poolSize,
    idleTimeoutMillis: 30_000,
    async onConnect(client) {
      // Of several statements the driver gives a list of results.
      const results = (await client.query(setUp)) as unknown as pg.QueryResult[];
      started = results.at(-1)!.rows[0].started as string;
    },
  });
  const place = placeOf(url);
  // An idle connection broke: the pool drops it, and the next question makes another.
  pool.on('error', (error) => {
    lost();
    options.log.warn({ database: place, error: error.message }, 'a connection was lost');
  });
  // One that breaks while it is in use tells whoever waits for an answer, and says so once more: nobody listening would end the process.
  pool.on('connect', (client) => client.on('error', lost));
  const kysely = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool }) }).withSchema('hindsight');

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (pool.totalCount >= options.poolSize && pool.waitingCount > 0 && String(error).includes('timeout exceeded'))
        throw new HindsightError(
          'ledger_busy',
          `All ${options.poolSize} connections to ${place} were in use for ${connectWithin / 1000} s.`,
          { database: place },
          { cause: error },
        );
      throw error;
    }
  }

  async function mapped<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toHindsightError(error, place);
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    let broken = false;
    // Between two statements nobody waits for an answer.
    const onError = () => {
      broken = true;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      broken ||= isLost(error);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  async function attempt<T>(
    work: (client: pg.ClientBase, begun: pg.QueryResultRow | undefined) => Promise<T>,
    begin: string,
  ): Promise<T> {
    return withClient(async (client) => {
      try {
        // Of several statements the driver gives a list of results.
        const begun = [(await client.query(begin)) as pg.QueryResult | pg.QueryResult[]].flat();
        const result = await work(client, begun.at(-1)?.rows[0]);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        if (!isLost(error)) await client.query('ROLLBACK').catch(() => client.emit('error', error));
        throw error;
      }
    });
  }

  return {
    place,
    get serverLife() {
      return `${started}.${losses}`;
    },
    kysely,
    run: (query) => mapped(() => withClient(async (client) => (await client.query(query)).rows)),
    arrays: <R extends unknown[]>(query: pg.QueryConfig) =>
      mapped(() => withClient(async (client) => (await client.query<R>({ ...query, rowMode: 'array' })).rows)),
    transaction: (work, begin = 'BEGIN') =>
      mapped(async () => {
        for (let count = 1; ; count++) {
          try {
            return await attempt(work, begin);
          } catch (error) {
            if (!isCollision(error) || count === tries) throw error;
            await sleep(Math.random() * 10 * 2 ** count);
          }
        }
      }),
    own: () =>
      mapped(async () => {
        const client = new pg.Client({ ...config, query_timeout: 0 });
        client.on('error', () => undefined);
        await client.connect();
        await client.query(setUp);
        return client;
      }),
    mapped,
    close: () => pool.end(),
  };
}

/** Integers as numbers: all of them are counts, moments and milliseconds, far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

function placeOf(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    return `${hostname || searchParams.get('host') || 'localhost'}${port ? `:${port}` : ''}${pathname}`;
  } catch {
    return 'the address given';
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { keysTrouble, mayPass } from './keys-trouble.js';

/** What a statement is run on: a connection of the pool, inside a transaction or not. */
export interface KeysConnection {
  rows<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The database of the keys as one process has it. It connects when it is needed, and again after an outage. */
export interface KeysPool {
  /** Host and database, for messages; never the user or the password. */
  readonly place: string;
  /** Statements of one connection that only read. Run again when the connection is lost. */
  read<T>(work: (connection: KeysConnection) => Promise<T>): Promise<T>;
  /**
   * A transaction, durable when the promise resolves. Run again when the connection is lost, also when it is not known whether it was
   * committed: `work` must come to the same when it was.
   */
  transaction<T>(work: (connection: KeysConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface KeysPoolOptions {
  /** Milliseconds in which a call is tried again while the database is away; 3,000 by default. */
  readonly patience?: number;
}

/** Connections of one process: most of what a process asks for is cached. */
const connections = 4;
/** Milliseconds for a connection, and for an answer. The longest wait is the patience and one of each. */
const connectWithin = 2_000;
const answerWithin = 5_000;

/**
 * Every call has an end. While the database is away, whoever needs it learns so after the patience, by `keys_unreachable`.
 * @throws HindsightError from its calls: keys_unreachable · ledger_busy · disk_full · invalid_config
 */
export function openKeysPool(url: string, options: KeysPoolOptions = {}): KeysPool {
  const { hostname, port, pathname } = new URL(url);
  const place = `${hostname || 'the local server'}${port ? `:${port}` : ''}${pathname}`;
  const patience = options.patience ?? 3_000;
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectWithin,
    query_timeout: answerWithin,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    application_name: 'hindsight-ledger keys',
  });
  // A connection that is lost while nobody uses it is taken out of the pool: that is all there is to do.
  pool.on('error', () => {});

  async function once<T>(begin: string | undefined, work: (connection: KeysConnection) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    // Without a listener a connection that is lost between two statements would end the process.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    const connection: KeysConnection = {
      rows: async (statement, values) => (await client.query(statement, values as unknown[])).rows,
    };
    try {
      if (begin) await client.query(begin);
      const result = await work(connection);
      if (begin) await client.query('COMMIT');
      return result;
    } catch (error) {
      // Also closes what is still waiting for an answer.
      broken ??= error as Error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  async function insist<T>(begin: string | undefined, work: (connection: KeysConnection) => Promise<T>): Promise<T> {
    const end = Date.now() + patience;
    for (;;) {
      try {
        return await once(begin, work);
      } catch (error) {
        const wait = 50 + Math.random() * 150;
        if (!mayPass(error) || Date.now() + wait >= end) throw keysTrouble(error, place);
        await sleep(wait);
      }
    }
  }

  let closing: Promise<void> | undefined;
  return {
    place,
    read: (work) => insist(undefined, work),
    // Whatever the server, the database or the role say: a key that was handed out is on disk.
    transaction: (work) => insist('BEGIN; SET LOCAL synchronous_commit = on', work),
    close() {
      // A server that hangs does not end its connections either.
      closing ??= Promise.race([pool.end(), sleep(connectWithin, undefined, { ref: false })]);
      return closing;
    },
  };
}

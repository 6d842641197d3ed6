import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Where the engines of a test run are; started by test/engines/global-setup.ts unless these were set by whoever runs it. */
export const variables = {
  postgres: 'HINDSIGHT_LEDGER_TEST_POSTGRES',
  redis: 'HINDSIGHT_LEDGER_TEST_REDIS',
  kafka: 'HINDSIGHT_LEDGER_TEST_KAFKA',
} as const;

export type EngineName = keyof typeof variables;
export const engineNames = Object.keys(variables) as readonly EngineName[];

/** Set, with the reason, where an engine could not be had and need not be. */
export function missingVariable(name: EngineName): string {
  return `${variables[name]}_MISSING`;
}

/** The address of a running engine. @throws Error when none was started */
export function engine(name: EngineName): string {
  const url = process.env[variables[name]];
  if (url) return url;
  throw new Error(`${name} is not running: ${variables[name]} is not set; npm run test:engines starts it.`);
}

export interface TestDatabase {
  readonly name: string;
  /** As a superuser. */
  readonly url: string;
  /** As another role of the server, which has no password. */
  urlOf(role: string): string;
  drop(): Promise<void>;
}

/** A database of its own on the running PostgreSQL. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = engine('postgres');
  const name = `hl_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const urlOf = (role?: string) => {
    const url = new URL(server);
    url.pathname = `/${name}`;
    if (role !== undefined) {
      url.username = role;
      url.password = '';
    }
    return url.href;
  };
  return {
    name,
    url: urlOf(),
    urlOf,
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

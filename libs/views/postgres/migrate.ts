import { randomInt, randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { HindsightError } from '#contract/errors.js';
import type { Connections, ViewsLog } from './connections.js';
import { migrations as allMigrations, type Migration } from './migrations.js';
import { queryRole, type StoreTables } from './schema.js';
import { isMissing, sqlState, stateOf } from './trouble.js';

/** Whose database it is, and of how many partitions: both are fixed when the store is made. */
export interface StoreOwner {
  readonly ledger: string;
  readonly partitions: number;
  /** Where the ledger is kept (Ledger.place), where that has a name. */
  readonly place?: string | undefined;
}

/** One at a time migrates a database; any number does, as long as nobody else takes it. */
const advisoryLock = 7_412_683_190_225;

/**
 * Brings the store's own tables to what this release knows; they may be ahead of it. Several processes may do so at once: each step is
 * one transaction under an advisory lock, and recorded in hl_migrations.
 * @throws HindsightError newer_format · database_refused · invalid_config (another ledger's, other partitions, not UTF-8)
 */
export async function migrate(
  connections: Connections,
  owner: StoreOwner,
  log: ViewsLog,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  const { place } = connections;
  const step = <T>(work: (transaction: Transaction<StoreTables>) => Promise<T>): Promise<T> =>
    connections.mapped(() =>
      connections.kysely.transaction().execute(async (transaction) => {
        await sql`SELECT pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
        return work(transaction);
      }),
    );
  await step(async (transaction) => {
    await checkEncoding(transaction, place);
    await makeRole(transaction, place);
    await makeSchema(transaction, place);
  });
  for (const migration of migrations) {
    const applied = await step(async (transaction) => {
      const known = await transaction
        .selectFrom('hl_migrations')
        .select('number')
        .where('number', '=', migration.number)
        .executeTakeFirst();
      if (known) return false;
      await checkFormat(transaction, place, migrations);
      for (const statement of migration.statements) await sql.raw(statement).execute(transaction);
      await transaction
        .insertInto('hl_migrations')
        .values({
          number: migration.number,
          name: migration.name,
          needs: migration.breaks ? migration.number : 0,
        })
        .execute();
      if (migration.number === 1) await initialise(transaction, owner);
      // What others cached of the store may be void.
      await sql`UPDATE hindsight.hl_meta SET value = (value::bigint + 1)::text WHERE name = 'stamp'`.execute(
        transaction,
      );
      return true;
    });
    if (applied) log.info({ database: place, migration: migration.number, name: migration.name }, 'migrated the views');
  }
  await checkStore(connections, owner, migrations);
}

/**
 * Whether this release may use the store as it is.
 * @throws HindsightError views_missing · newer_format · invalid_config · database_refused
 */
export async function checkStore(
  connections: Connections,
  owner: StoreOwner,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  const { place, kysely } = connections;
  await connections.mapped(async () => {
    try {
      await checkFormat(kysely, place, migrations);
      const applied = await kysely.selectFrom('hl_migrations').select('number').execute();
      if (migrations.some(({ number }) => !applied.some((each) => each.number === number))) throw viewsMissing(place);
      const meta = new Map(
        (await kysely.selectFrom('hl_meta').selectAll().execute()).map(({ name, value }) => [name, value]),
      );
      checkOwner(place, meta, owner);
    } catch (error) {
      if (isMissing(error)) throw viewsMissing(place, error);
      throw stateOf(error) === sqlState.insufficientPrivilege ? await noMember(connections, error) : error;
    }
  });
}

async function noMember({ place, kysely }: Connections, cause: unknown): Promise<HindsightError> {
  const { rows } = await sql<{ role: string }>`SELECT quote_ident(current_user) AS role`.execute(kysely);
  const statement = `GRANT ${queryRole} TO ${rows[0]!.role}`;
  return new HindsightError(
    'database_refused',
    `The role that queries connect to ${place} as may not read the views. Let an administrator run there, once: ${statement}.`,
    { database: place, statement },
    { cause },
  );
}

export function viewsMissing(place: string, cause?: unknown): HindsightError {
  return new HindsightError(
    'views_missing',
    `The database at ${place} holds no views of this release yet.`,
    { database: place },
    { cause },
  );
}

/** A step that this release does not know and that says it breaks. @throws HindsightError newer_format */
export async function checkFormat(
  kysely: Connections['kysely'] | Transaction<StoreTables>,
  place: string,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  const known = Math.max(...migrations.map(({ number }) => number));
  const breaking = await kysely
    .selectFrom('hl_migrations')
    .select(['number', 'name'])
    .where('needs', '>', known)
    .orderBy('number')
    .executeTakeFirst();
  if (!breaking) return;
  throw new HindsightError(
    'newer_format',
    `The views at ${place} have step ${breaking.number} (${breaking.name}), this release knows ${known}: a newer release changed them so that this one cannot use them. ` +
      'Install that release; or, when no process uses them any more, drop the schema hindsight: it is rebuilt from the ledger.',
    { database: place, found: breaking.number, known },
  );
}

function checkOwner(place: string, meta: ReadonlyMap<string, string>, { ledger, partitions }: StoreOwner): void {
  const owner = meta.get('ledger');
  if (owner !== ledger)
    throw new HindsightError(
      'invalid_config',
      `The database at ${place} holds the views of ledger ${owner}, not of ${ledger}. Give each ledger a database of its own.`,
      { database: place, found: owner, ledger },
    );
  const found = Number(meta.get('partitions'));
  if (found !== partitions)
    throw new HindsightError(
      'invalid_config',
      `The views at ${place} were made with ${found} partitions, and ${partitions} are configured. Their number is fixed when they are made: ` +
        `configure ${found}, or drop the schema hindsight and let them be rebuilt.`,
      { database: place, found, partitions },
    );
}

async function initialise(
  transaction: Transaction<StoreTables>,
  { ledger, partitions, place }: StoreOwner,
): Promise<void> {
  await transaction
    .insertInto('hl_meta')
    .values([
      { name: 'ledger', value: ledger },
      { name: 'partitions', value: String(partitions) },
      { name: 'stamp', value: '1' },
      { name: 'incarnation', value: randomUUID() },
      // The number of the last generation; counted on from a random one, so that the id of a generation of a store that was lost means
      // nothing in the one that was made after it.
      { name: 'generation', value: String(randomInt(1, 1_000_000_000)) },
      ...(place === undefined ? [] : [{ name: 'place', value: place }]),
    ])
    .execute();
}

async function checkEncoding(transaction: Transaction<StoreTables>, place: string): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`SHOW server_encoding`.execute(transaction);
  const found = rows[0]!.server_encoding;
  if (found === 'UTF8') return;
  throw new HindsightError(
    'invalid_config',
    `The database at ${place} has the encoding ${found}: create it with ENCODING 'UTF8'.`,
    { database: place, found },
  );
}

/** Roles are the whole server's: another database's projector may make it at the same moment. */
async function makeRole(transaction: Transaction<StoreTables>, place: string): Promise<void> {
  const { rows } = await sql`SELECT FROM pg_roles WHERE rolname = ${queryRole}`.execute(transaction);
  if (rows.length) return;
  await permitted(place, `CREATE ROLE ${queryRole} NOLOGIN`, () =>
    sql
      .raw(
        `DO $$ BEGIN CREATE ROLE ${queryRole} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
      )
      .execute(transaction),
  );
}

async function makeSchema(transaction: Transaction<StoreTables>, place: string): Promise<void> {
  const { rows } = await sql`SELECT FROM pg_namespace WHERE nspname = 'hindsight'`.execute(transaction);
  if (!rows.length) {
    const { rows: named } = await sql<{ role: string }>`SELECT quote_ident(current_user) AS role`.execute(transaction);
    await permitted(place, `CREATE SCHEMA hindsight AUTHORIZATION ${named[0]!.role}`, () =>
      sql.raw('CREATE SCHEMA hindsight').execute(transaction),
    );
  }
  await sql
    .raw(
      `CREATE TABLE IF NOT EXISTS hindsight.hl_migrations (
        number integer PRIMARY KEY, name text NOT NULL, needs integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    )
    .execute(transaction);
}

async function permitted(place: string, statement: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (stateOf(error) !== sqlState.insufficientPrivilege) throw error;
    throw new HindsightError(
      'database_refused',
      `The role that the projector connects to ${place} as may not run: ${statement}. Let an administrator run it there, once.`,
      { database: place, statement },
      { cause: error },
    );
  }
}

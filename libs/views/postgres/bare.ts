import type pg from 'pg';
import type { Table } from '../table.js';
import type { GenerationId } from '../views.js';
import { finishTable, piecesName, qualified, schemaName, tableName } from './schema.js';
import type { PostgresStore } from './store.js';

/**
 * A generation that is built beside the one in use is *bare*: nobody reads it, so its tables have only those keys that rows are replaced by. What it
 * lacks is made here, before it is compared, counted or switched to: all at once costs a third of what it costs row by row
 * (docs/decisions/0032).
 */
export function isBare({ known }: PostgresStore, { projection, generation }: GenerationId): boolean {
  return known.generations.some(
    (each) => each.projection === projection && each.generation === generation && each.bare,
  );
}

/** Of the session that makes indexes and merges pieces. It waits for whoever is at it already, for as long as that may take. */
const session = `SET maintenance_work_mem = '256MB'; SET work_mem = '64MB'; SET synchronous_commit = off; SET lock_timeout = '30min'`;
/** Beside a generation's number: an advisory lock that ends with the session. */
const lockOfFinishing = 741_268_319;
/** Generations that are finished at the same time. */
const atOnce = 2;

/** Generations that this process has finished, and that it has given their indexes, by number: they need not be looked through once more. */
const finished = new WeakMap<PostgresStore, Set<number>>();
const indexed = new WeakMap<PostgresStore, Set<number>>();

/** Gives generations all that readers need, and the planner its figures. Those that have it already are left alone. @throws HindsightError checkpoint_moved · disk_full · ledger_busy */
export async function finish(store: PostgresStore, ids: readonly GenerationId[]): Promise<void> {
  const bare = ids.filter((id) => isBare(store, id)).sort((one, other) => weight(other) - weight(one));
  if (bare.length === 0) return;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let id = bare[next++]; id; id = bare[next++]) {
      await finishOne(store, id);
      finished.set(store, (finished.get(store) ?? new Set()).add(id.generation));
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, bare.length) }, work));
  await store.reread();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;

  function weight(id: GenerationId): number {
    return tablesOf(store, id).length;
  }
}

export function isFinishedHere(store: PostgresStore, { generation }: GenerationId): boolean {
  return finished.get(store)?.has(generation) ?? false;
}

function tablesOf({ shapes }: PostgresStore, { projection }: GenerationId): readonly Table[] {
  return shapes.find(({ name }) => name === projection)?.tables ?? [];
}

/** What is appended to is merged and switched over in one transaction; indexes are made one by one, and found there by whoever comes after a kill. */
async function finishOne(store: PostgresStore, id: GenerationId): Promise<void> {
  const tables = tablesOf(store, id);
  await withSession(store, id, async (client) => {
    if (!(await isStillBare(client, id))) return;
    await makeIndexes(client, id, tables);
    // Tables that were filled a moment ago are planned for as if they were empty until autovacuum comes by.
    for (const table of tables) if (!table.appended) await client.query(`ANALYZE ${qualified(table, id.generation)}`);
    await client.query('BEGIN');
    // Whoever writes to it has one of these: then it waits, and finds it finished.
    await client.query(
      'SELECT FROM hindsight.hl_checkpoints WHERE projection = $1 AND generation = $2 ORDER BY partition FOR UPDATE',
      [id.projection, id.generation],
    );
    if (await isStillBare(client, id)) {
      for (const table of tables) if (table.appended) await merge(client, id, table);
      await client.query(
        'UPDATE hindsight.hl_generations SET bare = false, tables = $3 WHERE projection = $1 AND generation = $2',
        [id.projection, id.generation, tables.map((table) => tableName(table, id.generation))],
      );
      await client.query(`UPDATE hindsight.hl_meta SET value = (value::bigint + 1)::text WHERE name = 'stamp'`);
    }
    await client.query('COMMIT');
  });
}

async function isStillBare(client: pg.Client, { projection, generation }: GenerationId): Promise<boolean> {
  const { rows } = await client.query<{ bare: boolean }>(
    'SELECT bare FROM hindsight.hl_generations WHERE projection = $1 AND generation = $2',
    [projection, generation],
  );
  return rows[0]?.bare ?? false;
}

/** Indexes of what rows are only added to; before something is taken out, too, which has to be found. */
export async function indexRows(store: PostgresStore, id: GenerationId): Promise<void> {
  if (indexed.get(store)?.has(id.generation)) return;
  await withSession(store, id, (client) => makeIndexes(client, id, tablesOf(store, id)));
  indexed.set(store, (indexed.get(store) ?? new Set()).add(id.generation));
}

async function makeIndexes(client: pg.Client, { generation }: GenerationId, tables: readonly Table[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = ANY($1::regclass[])',
    [tables.map((table) => qualified(table, generation))],
  );
  const there = new Set(rows.map(({ name }) => name.slice(name.indexOf('.') + 1)));
  for (const table of tables) {
    const { key, indexes } = finishTable(table, generation);
    const name = tableName(table, generation);
    if (key !== undefined && !table.appended && !there.has(`${name}_pkey`)) await client.query(key);
    for (const [index, statement] of indexes.entries())
      if (!there.has(`${name}_i${index + 1}`)) await client.query(statement);
  }
}

/** Blobs of their pieces, in the order in which those were put: behind what was put into the table itself, which was first. */
async function merge(client: pg.Client, { generation }: GenerationId, table: Table): Promise<void> {
  const name = qualified(table, generation);
  const pieces = `${schemaName}.${piecesName(table, generation)}`;
  const { blob } = table.appended!;
  const [key, columns] = [table.key.join(', '), [...table.key, blob].join(', ')];
  const { rows } = await client.query<{ any: boolean }>(`SELECT EXISTS (SELECT FROM ${pieces}) AS any`);
  if (rows[0]!.any) {
    await client.query(`INSERT INTO ${pieces} (part, ${columns}) SELECT 0, ${columns} FROM ${name}`);
    await client.query(`TRUNCATE ${name}`);
    await client.query(
      `INSERT INTO ${name} (${columns}) SELECT ${key}, string_agg(${blob}, '' ORDER BY part) FROM ${pieces} GROUP BY ${key} ORDER BY ${key}`,
    );
  }
  await client.query(finishTable(table, generation).key!);
  await client.query(`ANALYZE ${name}`);
  await client.query(`DROP TABLE ${pieces}`);
}

/** On a connection of its own, since making an index of millions of rows takes minutes; one process at a time for each generation. */
async function withSession<T>(
  store: PostgresStore,
  { generation }: GenerationId,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await store.connections.own();
  try {
    await client.query(session);
    await client.query('SELECT pg_advisory_lock($1, $2)', [lockOfFinishing, generation]);
    return await work(client);
  } finally {
    await client.end();
  }
}

import { sql, type Transaction } from 'kysely';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { versionsShape } from '../tables/versions.js';
import type { Generation, GenerationId, ProjectionShape } from '../views.js';
import { createTable, type StoreTables, schemaName, tableName } from './schema.js';
import { newerProjection, type PostgresStore } from './store.js';
import { isCollision, isMissing, sqlState, stateOf } from './trouble.js';
import { clearVectors } from './vectors/purge-vectors.js';

/** One at a time changes which generations there are. */
const advisoryLock = 7_412_683_190_226;

async function changing<T>(
  store: PostgresStore,
  work: (transaction: Transaction<StoreTables>) => Promise<T>,
): Promise<T> {
  const { connections } = store;
  for (let tries = 1; ; tries++) {
    try {
      return await connections.kysely.transaction().execute(async (transaction) => {
        await sql`SELECT pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
        return work(transaction);
      });
    } catch (error) {
      if (!isCollision(error) || tries === 5) throw error;
    }
  }
}

/** Makes every process reread which generations there are. */
async function stampChanged(transaction: Transaction<StoreTables>): Promise<void> {
  await sql`UPDATE hindsight.hl_meta SET value = (value::bigint + 1)::text WHERE name = 'stamp'`.execute(transaction);
}

/** With the checkpoint of the partition that is furthest back. */
export async function readGenerations(store: PostgresStore): Promise<Generation[]> {
  const { generations } = await store.reread();
  const { rows } = await sql<{ projection: string; generation: number; position: string | null; system_time: string }>`
    SELECT DISTINCT ON (projection, generation) projection, generation, position, system_time FROM hindsight.hl_checkpoints
    ORDER BY projection, generation, position NULLS FIRST`.execute(store.connections.kysely);
  return generations.flatMap(({ projection, generation, version, active, former }) => {
    const at = rows.find((row) => row.projection === projection && row.generation === generation);
    if (!at) return [];
    return [
      {
        projection,
        generation,
        version,
        active,
        former,
        position: at.position ?? undefined,
        systemTime: at.system_time,
      },
    ];
  });
}

export async function startGeneration(store: PostgresStore, shape: ProjectionShape): Promise<GenerationId> {
  await sweep(store);
  const id = await changing(store, async (transaction) => {
    const ofProjection = await transaction
      .selectFrom('hl_generations')
      .selectAll()
      .where('projection', '=', shape.name)
      .orderBy('generation')
      .execute();
    const newer = ofProjection.find((each) => each.active && each.version > shape.version);
    if (newer) throw newerProjection(store.connections.place, newer, shape);
    const found = ofProjection.find((each) => each.version === shape.version && !each.active && !each.former);
    return found
      ? { projection: shape.name, generation: found.generation }
      : makeGeneration(store, transaction, shape, ofProjection.length === 0);
  });
  await store.reread();
  return id;
}

async function makeGeneration(
  store: PostgresStore,
  transaction: Transaction<StoreTables>,
  shape: ProjectionShape,
  active: boolean,
): Promise<GenerationId> {
  // Never one that was dropped: its tables may still be there, and projectors that have it in hand.
  const { rows } = await sql<{ generation: number }>`
    UPDATE hindsight.hl_meta SET value = (value::integer + 1)::text WHERE name = 'generation'
    RETURNING value::integer AS generation`.execute(transaction);
  const { generation } = rows[0]!;
  for (const table of shape.tables)
    for (const statement of createTable(table, generation)) await sql.raw(statement).execute(transaction);
  await transaction
    .insertInto('hl_generations')
    .values({
      projection: shape.name,
      generation,
      version: shape.version,
      active,
      tables: shape.tables.map((table) => tableName(table, generation)),
    })
    .execute();
  await transaction
    .insertInto('hl_checkpoints')
    .values(
      Array.from({ length: store.partitions }, (_, partition) => ({
        projection: shape.name,
        generation,
        partition,
        position: null,
        system_time: '',
      })),
    )
    .execute();
  await stampChanged(transaction);
  return { projection: shape.name, generation };
}

/** Holds the checkpoints of all that are concerned meanwhile: whoever commits waits, and finds what holds afterwards. */
async function lockCheckpoints(
  transaction: Transaction<StoreTables>,
  projections: readonly string[],
): Promise<{ projection: string; generation: number; partition: number; position: string | null }[]> {
  if (projections.length === 0) return [];
  return transaction
    .selectFrom('hl_checkpoints')
    .select(['projection', 'generation', 'partition', 'position'])
    .where('projection', 'in', projections)
    .orderBy('projection')
    .orderBy('generation')
    .orderBy('partition')
    .forUpdate()
    .execute();
}

/** False, and nothing done, when a partition of one of these is behind the same partition of the one that it would replace. */
export async function switchTo(store: PostgresStore, ids: readonly GenerationId[]): Promise<boolean> {
  await analyse(store, ids);
  const switched = await changing(store, async (transaction) => {
    const checkpoints = await lockCheckpoints(
      transaction,
      ids.map(({ projection }) => projection),
    );
    const active = await transaction
      .selectFrom('hl_generations')
      .select(['projection', 'generation'])
      .where('active', '=', true)
      .execute();
    const of = ({ projection, generation }: GenerationId) =>
      checkpoints.filter((each) => each.projection === projection && each.generation === generation);
    for (const id of ids) {
      const next = of(id);
      const present = active.find(({ projection }) => projection === id.projection);
      if (next.length === 0) return false;
      const ahead = present ? of(present) : [];
      if (next.some(({ position }, partition) => (position ?? '') < (ahead[partition]?.position ?? ''))) return false;
    }
    if (ids.some(({ projection }) => projection === versionsShape.name) && (await hasSetAside(transaction)))
      await clearing(transaction);
    for (const { projection, generation } of ids) {
      // First one off, then the other on: there is never more than one.
      const ofProjection = transaction.updateTable('hl_generations').where('projection', '=', projection);
      await ofProjection
        .set({ active: false, former: true })
        .where('active', '=', true)
        .where('generation', '<>', generation)
        .execute();
      await ofProjection.set({ active: true, former: false }).where('generation', '=', generation).execute();
    }
    await stampChanged(transaction);
    return true;
  });
  await store.reread();
  return switched;
}

/** What was set aside is projected by a replay, and numbers the docs after it anew. */
async function hasSetAside(transaction: Transaction<StoreTables>): Promise<boolean> {
  const found = await transaction
    .selectFrom('hl_dead_letters')
    .select('projection')
    .where('projection', '=', versionsShape.name)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

async function clearing(transaction: Transaction<StoreTables>): Promise<void> {
  await clearVectors(async (statement) => (await sql.raw(statement).execute(transaction)).rows);
}

/** Tables that were filled a moment ago are planned for as if they were empty until autovacuum comes by. */
async function analyse({ connections, known }: PostgresStore, ids: readonly GenerationId[]): Promise<void> {
  for (const id of ids) {
    const isIt = (each: GenerationId) => each.projection === id.projection && each.generation === id.generation;
    for (const name of known.generations.find(isIt)?.tables ?? [])
      await connections.run({ text: `ANALYZE ${schemaName}.${name}` }).catch((error: unknown) => {
        // Dropped meanwhile, or somebody is at it.
        if (!isMissing(error) && !isHindsightError(error, 'ledger_busy')) throw error;
      });
  }
}

/**
 * Removes generations at once for everybody; their tables then, or, while somebody still reads one (a dump takes minutes), once that is
 * over (`sweep`).
 */
export async function dropGenerations(store: PostgresStore, ids: readonly GenerationId[]): Promise<void> {
  await changing(store, async (transaction) => {
    await lockCheckpoints(
      transaction,
      ids.map(({ projection }) => projection),
    );
    for (const { projection, generation } of ids) {
      const gone = await transaction
        .deleteFrom('hl_generations')
        .where('projection', '=', projection)
        .where('generation', '=', generation)
        .returning(['tables', 'active'])
        .executeTakeFirst();
      if (gone?.active && projection === versionsShape.name) await clearing(transaction);
      const names = gone?.tables.map((name) => ({ name })) ?? [];
      if (names.length) await transaction.insertInto('hl_garbage').values(names).execute();
      for (const table of ['hl_checkpoints', 'hl_numbers', 'hl_dead_letters'] as const)
        await transaction
          .deleteFrom(table)
          .where('projection', '=', projection)
          .where('generation', '=', generation)
          .execute();
    }
    await stampChanged(transaction);
  });
  await store.reread();
  await sweep(store);
}

/**
 * Drops tables of generations that are no more, but for those that somebody still reads. One table per transaction: nobody who reads two
 * of them can be waited for in a circle.
 */
export async function sweep(store: PostgresStore): Promise<void> {
  const garbage = await store.connections.kysely.selectFrom('hl_garbage').select('name').orderBy('name').execute();
  for (const { name } of garbage) {
    try {
      await changing(store, async (transaction) => {
        await sql`SET LOCAL lock_timeout = '500ms'`.execute(transaction);
        await sql.raw(`DROP TABLE IF EXISTS ${schemaName}.${name}`).execute(transaction);
        await transaction.deleteFrom('hl_garbage').where('name', '=', name).execute();
      });
    } catch (error) {
      if (stateOf(error) !== sqlState.lockTimeout) throw error;
    }
  }
}

/** A refusal of whatever writes, for who only reads. */
export function readsOnly(place: string): HindsightError {
  return new HindsightError(
    'not_writable',
    `These views were opened for queries at ${place}: only a projector writes them.`,
    {
      database: place,
    },
  );
}

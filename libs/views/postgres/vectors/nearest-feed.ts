import type { ClientBase } from 'pg';
import { toSql } from 'pgvector';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { unpackVector } from '#understanding/embeddings/scan/packed-vector.js';
import type { MadeVector } from '../../vectors.js';
import { schemaName } from '../schema.js';
import type { PostgresStore } from '../store.js';
import { dropNearest, makeNearest, nearestNamesOf } from './nearest-space.js';

/** Docs by the numbers of their banks. */
export interface NumberedDoc {
  readonly bank: number;
  readonly doc: number;
}

/**
 * The nearest-vector search is made for all spaces, or removed with its files. Vectors of a space that had none are made anew: sealed ones
 * tell it nothing.
 * @throws HindsightError database_refused without pgvector
 */
export async function setNearest({ connections }: PostgresStore, isOn: boolean): Promise<void> {
  await connections.transaction(async (client) => {
    const made = new Set(await nearestTables(client));
    if (!isOn) {
      for (const name of made) await dropNearest(client, { name, table: `${schemaName}.${name}` });
      return;
    }
    const { rows: spaces } = await client.query<VectorSpace & { name: string }>(
      'SELECT name, model, dimensions FROM hindsight.hl_vector_spaces ORDER BY name FOR UPDATE',
    );
    for (const { name, ...space } of spaces) {
      if (made.has(nearestNamesOf(space).name)) continue;
      await makeIndexed(client, space, connections.place);
      await client.query('UPDATE hindsight.hl_vector_banks SET changes = changes + 1');
      await client.query('DELETE FROM hindsight.hl_vector_marks WHERE space = $1', [name]);
      await client.query(`DELETE FROM ${schemaName}.${name}`);
    }
  });
}

/** Of no rows an index is made at once; it grows with them. In the transaction. */
export async function makeIndexed(client: ClientBase, space: VectorSpace, place: string): Promise<void> {
  await makeNearest(client, space, place);
  const { table, index } = nearestNamesOf(space);
  await client.query(`CREATE INDEX IF NOT EXISTS ${index} ON ${table} USING hnsw (vector halfvec_cosine_ops)`);
}

/** What is put, in the transaction that puts the sealed ones. */
export async function feedNearest(
  client: ClientBase,
  bank: number,
  space: VectorSpace,
  rows: readonly MadeVector[],
): Promise<void> {
  const { table } = nearestNamesOf(space);
  const given = rows.flatMap(({ doc, packed }) => (packed ? [{ doc, vector: unpackVector(packed) }] : []));
  if (given.length === 0) return;
  await client.query(
    `INSERT INTO ${table} (bank, doc, vector) SELECT $1, doc, vector::halfvec FROM unnest($2::bigint[], $3::text[]) AS given (doc, vector)
      ON CONFLICT (bank, doc) DO UPDATE SET vector = excluded.vector`,
    [bank, given.map(({ doc }) => doc), given.map(({ vector }) => toSql(Array.from(vector)))],
  );
}

/** Whatever the process was told: rows of docs that were erased or blanked go from every space. In the transaction. */
export async function purgeNearest(client: ClientBase, docs: readonly NumberedDoc[]): Promise<void> {
  if (docs.length === 0) return;
  for (const name of await nearestTables(client))
    await client.query(
      `DELETE FROM ${schemaName}.${name} AS held USING unnest($1::integer[], $2::bigint[]) AS gone (bank, doc)
        WHERE held.bank = gone.bank AND held.doc = gone.doc`,
      [docs.map(({ bank }) => bank), docs.map(({ doc }) => doc)],
    );
}

/** Their names, without the schema. */
export async function nearestTables(client: Pick<ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM hindsight.hl_nearest_spaces ORDER BY name');
  return rows.map(({ name }) => name);
}

import type { ClientBase } from 'pg';
import { HindsightError } from '#contract/errors.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { schemaName } from '../schema.js';
import { stateOf } from '../trouble.js';
import { nameOf, ofOneBank } from './vector-space.js';

/** The tables of the nearest-vector search of a space, as statements name them. */
export interface NearestNames {
  readonly name: string;
  readonly table: string;
  readonly index: string;
}

/** @throws HindsightError invalid_input when the space has no model, or dimensions that no index takes */
export function nearestNamesOf(space: VectorSpace): NearestNames {
  const name = `nearest_${nameOf(space)}`;
  return { name, table: `${schemaName}.${name}`, index: `${name}_hnsw` };
}

/**
 * Vectors that nobody sealed, for an index can be made of no other.
 *
 * Half precision: of 100,000 vectors of 384 dimensions the table took 78 MB instead of 156 and the index 112 instead of 195, at the same
 * recall (.983 against .990 at ef_search 40, .997 against .996 at 100) and speed (bench/vectors.ts). Plain: a vector beside its row would
 * be read by itself.
 */
function createNearest(space: VectorSpace): string[] {
  const { table } = nearestNamesOf(space);
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      bank integer NOT NULL, doc bigint NOT NULL, vector halfvec(${space.dimensions}) NOT NULL, PRIMARY KEY (bank, doc))`,
    `ALTER TABLE ${table} ALTER COLUMN vector SET STORAGE PLAIN`,
    ...ofOneBank(table),
  ];
}

/** Makes the table of a space where there is none, in the transaction. @throws HindsightError database_refused without pgvector */
export async function makeNearest(client: ClientBase, space: VectorSpace, place: string): Promise<void> {
  const { name } = nearestNamesOf(space);
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('${name}'))`);
  const { rowCount } = await client.query('SELECT FROM hindsight.hl_nearest_spaces WHERE name = $1', [name]);
  if (rowCount) return;
  await makeExtension(client, place);
  for (const statement of createNearest(space)) await client.query(statement);
  await client.query('INSERT INTO hindsight.hl_nearest_spaces (name, model, dimensions) VALUES ($1, $2, $3)', [
    name,
    space.model,
    space.dimensions,
  ]);
}

/** With its files, in the transaction. */
export async function dropNearest(
  client: ClientBase,
  { name, table }: Pick<NearestNames, 'name' | 'table'>,
): Promise<void> {
  await client.query('DELETE FROM hindsight.hl_nearest_spaces WHERE name = $1', [name]);
  await client.query(`DROP TABLE IF EXISTS ${table}`);
}

async function makeExtension(client: ClientBase, place: string): Promise<void> {
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS vector');
  } catch (error) {
    // 0A000, 58P01: the server has no such extension. 42501: this role may not make it.
    if (!['0A000', '58P01', '42501'].includes(stateOf(error) ?? '')) throw error;
    throw new HindsightError(
      'database_refused',
      `The database at ${place} has no extension vector, and could not be given it (${error instanceof Error ? error.message : String(error)}). ` +
        'Install pgvector 0.8 or newer on its server, and let an administrator run there, once: CREATE EXTENSION vector',
      { database: place, statement: 'CREATE EXTENSION vector' },
      { cause: error },
    );
  }
}

/** @throws HindsightError invalid_input: a vector of another size, or one that has no direction */
export function checkVector(vector: Float32Array, { dimensions, model }: VectorSpace): void {
  const refuse = (what: string): never => {
    throw new HindsightError(
      'invalid_input',
      `A vector of ${JSON.stringify(model.slice(0, 80))} ${what}; ${dimensions} finite numbers are taken, not all of them 0.`,
      { parameter: 'vector', dimensions },
    );
  };
  if (vector.length !== dimensions) refuse(`has ${vector.length} dimensions`);
  let isZero = true;
  for (const value of vector) {
    if (!(Math.abs(value) <= largestHalf)) refuse(`holds ${value}`);
    isZero &&= Math.abs(value) < smallestHalf;
  }
  if (isZero) refuse('holds nothing but 0');
}

/** Of half precision (IEEE 754). What is below half of the smallest becomes 0. */
const largestHalf = 65_504;
const smallestHalf = 2 ** -24;

import { createHash } from 'node:crypto';
import { HindsightError } from '#contract/errors.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { queryRole, schemaName } from '../schema.js';

/** The tables of a space, as statements name them. Safe to be written into one: only hex and digits come from the space. */
export interface SpaceNames {
  readonly name: string;
  readonly table: string;
  readonly index: string;
}

/** What pgvector's HNSW takes of half-precision vectors; a row of as many still fits its page. */
const mostDimensions = 4_000;

/** Characters of SHA-256 in a name: a fingerprint may be of any form and length, and a name has 63 bytes. */
const hashLength = 32;

/** @throws HindsightError invalid_input when the space has no model, or dimensions that no index takes */
export function namesOf({ model, dimensions }: VectorSpace): SpaceNames {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > mostDimensions)
    throw new HindsightError(
      'invalid_input',
      `The vectors of ${JSON.stringify(model.slice(0, 80))} have ${dimensions} dimensions; 1 to ${mostDimensions} are taken.`,
      { parameter: 'dimensions', given: dimensions },
    );
  if (model === '')
    throw new HindsightError('invalid_input', 'A space of vectors needs the fingerprint of its model.', {
      parameter: 'model',
    });
  const hash = createHash('sha256')
    .update(JSON.stringify([model, dimensions]))
    .digest('hex')
    .slice(0, hashLength);
  const name = `vectors_${dimensions}_${hash}`;
  return { name, table: `${schemaName}.${name}`, index: `${name}_hnsw` };
}

/**
 * `packed` is what scores are computed of, so that they are the same to the bit as in any other store; `vector` is what an index is made of.
 * Both are unset where a vector is to be made anew. `before`: the doc that was embedded with it. `changed`: as in StoredVector.
 *
 * Half precision: of 100,000 vectors of 384 dimensions the table took 78 MB instead of 156 and the index 112 instead of 195, at the same
 * recall (.983 against .990 at ef_search 40, .997 against .996 at 100) and speed (bench/vectors.ts). Plain: a vector beside its row would
 * be read by itself. Row-level security as on every table of a projection.
 */
export function createSpace(space: VectorSpace): string[] {
  const { name, table } = namesOf(space);
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      bank integer NOT NULL, doc bigint NOT NULL, before bigint, changed bigint NOT NULL DEFAULT 0,
      packed bytea, vector halfvec(${space.dimensions}), PRIMARY KEY (bank, doc))`,
    `ALTER TABLE ${table} ALTER COLUMN vector SET STORAGE PLAIN, ALTER COLUMN packed SET STORAGE PLAIN`,
    `CREATE INDEX ${name}_before ON ${table} (bank, before) WHERE before IS NOT NULL`,
    `CREATE INDEX ${name}_changed ON ${table} (bank, changed) WHERE changed > 0`,
    `CREATE INDEX ${name}_blank ON ${table} (bank, doc) WHERE packed IS NULL`,
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY of_one_bank ON ${table} FOR SELECT TO ${queryRole} ` +
      `USING (bank = nullif(current_setting('hindsight.bank', true), '')::integer)`,
    `GRANT SELECT ON ${table} TO ${queryRole}`,
  ];
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

import { toSql } from 'pgvector';
import { HindsightError } from '#contract/errors.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import type { PostgresStore } from '../store.js';
import { exactUpTo, type Near, nearestDocs } from './nearest.js';
import { copyVectors, type NumberedVector } from './nearest-rows.js';
import { checkVector, dropNearest, makeNearest, nearestNamesOf } from './nearest-space.js';

/** The vector of a version. */
export interface DocVector {
  readonly bank: string;
  readonly doc: number;
  readonly vector: Float32Array;
}

/**
 * The nearest vectors by pgvector: a table per space, in it a row per doc of each bank, and an index. What stands there is not sealed, and an
 * erasure leaves it in pages and in the write-ahead log: so nothing is put there unless an operator chose it (docs/decisions/0028). Writing is
 * the projector's; searching works in both roles. Errors (HindsightError) besides those of the store: `invalid_input` · `bank_not_found` ·
 * `database_refused`.
 */
export interface NearestIndex {
  /** Makes the table of a space where there is none. Without an index every answer is exact. */
  make(space: VectorSpace): Promise<void>;
  /** Makes the index of a space where there is none; writers go on meanwhile. Of many vectors it is made faster than it grows. */
  index(space: VectorSpace): Promise<void>;
  /** Adds vectors, or replaces those of the same docs: all or none. */
  put(space: VectorSpace, vectors: readonly DocVector[]): Promise<void>;
  /**
   * The docs of a bank whose vectors point most nearly as this one does, nearest first, of equal ones the lowest doc.
   * @param eligible 1 for each doc that may be found; docs beyond its end may not. All may where it is left out
   */
  nearest(bank: string, space: VectorSpace, vector: Float32Array, k: number, eligible?: Uint8Array): Promise<Near>;
  /** Removes the vectors of these docs from every space; all of the bank's where none are named. */
  purge(bank: string, docs?: readonly number[]): Promise<void>;
  /** Removes a space with all its vectors. */
  drop(space: VectorSpace): Promise<void>;
}

/** From here on, a COPY beside the table costs less than handing each vector over as text. */
const copyFrom = 64;

/**
 * Kilobytes that building an index may take: graphs beyond it are built several times slower. 100,000 vectors of 384 dimensions need a
 * fifth of it (bench/vectors.ts).
 */
const buildMemory = 512 * 1024;

/** @param limits where exact answers end, for tests */
export function createNearestIndex(store: PostgresStore, limits = { exactUpTo }): NearestIndex {
  const { connections } = store;

  async function numbered(vectors: readonly DocVector[], space: VectorSpace): Promise<NumberedVector[]> {
    for (const { vector } of vectors) checkVector(vector, space);
    const numbers = await store.bankNumbers(vectors.map(({ bank }) => bank));
    return vectors.map(({ bank, doc, vector }) => {
      const number = numbers.get(bank);
      if (number === undefined) throw unknownBank(bank);
      return { bank: number, doc, vector };
    });
  }

  return {
    make: (space) => connections.transaction((client) => makeNearest(client, space, connections.place)),

    async index(space) {
      const { table, index } = nearestNamesOf(space);
      const client = await connections.own();
      try {
        await connections.mapped(async () => {
          await client.query(`SET maintenance_work_mem = ${buildMemory}`);
          await client.query(`SET lock_timeout = 0`);
          const { rows } = await client.query<{ valid: boolean }>(
            'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
            [`hindsight.${index}`],
          );
          // A build that was interrupted leaves an index that is kept up and never used.
          if (rows[0]?.valid === false) await client.query(`DROP INDEX CONCURRENTLY hindsight.${index}`);
          await client.query(
            `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index} ON ${table} USING hnsw (vector halfvec_cosine_ops)`,
          );
        });
      } finally {
        await client.end();
      }
    },

    async put(space, vectors) {
      if (vectors.length === 0) return;
      const { table } = nearestNamesOf(space);
      const rows = await numbered(vectors, space);
      const replace = 'ON CONFLICT (bank, doc) DO UPDATE SET vector = excluded.vector';
      if (rows.length < copyFrom) {
        await connections.run({
          text: `INSERT INTO ${table} (bank, doc, vector) SELECT bank, doc, vector::halfvec
            FROM unnest($1::integer[], $2::bigint[], $3::text[]) AS given (bank, doc, vector) ${replace}`,
          values: [
            rows.map(({ bank }) => bank),
            rows.map(({ doc }) => doc),
            rows.map(({ vector }) => toSql(Array.from(vector))),
          ],
        });
        return;
      }
      await connections.transaction(async (client) => {
        await client.query(
          `CREATE TEMPORARY TABLE given_vectors (bank integer, doc bigint, vector vector(${space.dimensions})) ON COMMIT DROP`,
        );
        await copyVectors(client, 'given_vectors', rows);
        await client.query(
          `INSERT INTO ${table} (bank, doc, vector) SELECT bank, doc, vector::halfvec FROM given_vectors ORDER BY bank, doc ${replace}`,
        );
      });
    },

    nearest: (bank, space, vector, k, eligible) => {
      checkVector(vector, space);
      return nearestDocs(store, bank, nearestNamesOf(space), vector, k, { eligible, ...limits });
    },

    async purge(bank, docs) {
      const number = await store.bankNumber(bank);
      if (number === undefined) return;
      await connections.transaction(async (client) => {
        const spaces = await client.query<{ name: string }>(
          'SELECT name FROM hindsight.hl_nearest_spaces ORDER BY name',
        );
        for (const { name } of spaces.rows)
          await client.query(
            `DELETE FROM hindsight.${name} WHERE bank = $1 AND ($2::bigint[] IS NULL OR doc = ANY($2))`,
            [number, docs ?? null],
          );
      });
    },

    drop: (space) => connections.transaction((client) => dropNearest(client, nearestNamesOf(space))),
  };
}

function unknownBank(bank: string): HindsightError {
  return new HindsightError(
    'bank_not_found',
    `The views know no bank ${bank}: vectors come after the versions they are of.`,
    {
      bank,
    },
  );
}

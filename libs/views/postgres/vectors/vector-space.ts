import { createHash } from 'node:crypto';
import { HindsightError } from '#contract/errors.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { queryRole, schemaName } from '../schema.js';

/** The table of a space, as statements name it. Safe to be written into one: only hex and digits come from the space. */
export interface SpaceNames {
  readonly name: string;
  readonly table: string;
}

/** A sealed row of as many still fits its page; and as many are what pgvector's index takes (nearest-space.ts). */
const mostDimensions = 4_000;

/** Characters of SHA-256 in a name: a fingerprint may be of any form and length, and a name has 63 bytes. */
const hashLength = 32;

/** @throws HindsightError invalid_input when the space has no model, or more dimensions than are taken */
export function namesOf(space: VectorSpace): SpaceNames {
  const name = `vectors_${nameOf(space)}`;
  return { name, table: `${schemaName}.${name}` };
}

/** What the names of all tables of a space end with. @throws HindsightError invalid_input as `namesOf` */
export function nameOf({ model, dimensions }: VectorSpace): string {
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
  return `${dimensions}_${hash}`;
}

/**
 * `sealed` is all that there is of a vector, unset where it is to be made anew: rows that were removed stay in pages and in the write-ahead
 * log, where nobody can open them once a key is gone. `before`: the doc that was embedded with it. `changed`: as in StoredVector. Plain
 * storage: a vector beside its row would be read by itself. Row-level security as on every table of a projection.
 */
export function createSpace(space: VectorSpace): string[] {
  const { name, table } = namesOf(space);
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      bank integer NOT NULL, doc bigint NOT NULL, before bigint, changed bigint NOT NULL DEFAULT 0, sealed bytea, PRIMARY KEY (bank, doc))`,
    `ALTER TABLE ${table} ALTER COLUMN sealed SET STORAGE PLAIN`,
    `CREATE INDEX ${name}_before ON ${table} (bank, before) WHERE before IS NOT NULL`,
    `CREATE INDEX ${name}_changed ON ${table} (bank, changed) WHERE changed > 0`,
    `CREATE INDEX ${name}_blank ON ${table} (bank, doc) WHERE sealed IS NULL`,
    ...ofOneBank(table),
  ];
}

/** Who queries sees the rows of the bank that is set, and writes none. */
export function ofOneBank(table: string): string[] {
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY of_one_bank ON ${table} FOR SELECT TO ${queryRole} ` +
      `USING (bank = nullif(current_setting('hindsight.bank', true), '')::integer)`,
    `GRANT SELECT ON ${table} TO ${queryRole}`,
  ];
}

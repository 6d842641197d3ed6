import type { Generated } from 'kysely';
import type { CellType, Table } from '../table.js';

/** All that the store keeps stands in this schema. */
export const schemaName = 'hindsight';

/** Group role of those who read: member of it is whoever a query service connects as. It owns nothing, and row-level security binds it. */
export const queryRole = 'hindsight_query';

/** What the store itself keeps, beside the projections' tables: Kysely's view of migrations.ts. */
export interface StoreTables {
  hl_migrations: { number: number; name: string; needs: number };
  hl_meta: { name: string; value: string };
  hl_banks: { number: Generated<number>; id: string };
  hl_generations: {
    projection: string;
    generation: number;
    version: number;
    active: boolean;
    former: Generated<boolean>;
    tables: string[];
  };
  hl_checkpoints: {
    projection: string;
    generation: number;
    partition: number;
    position: string | null;
    system_time: string;
  };
  hl_numbers: { projection: string; generation: number; bank: number; seq: number; docs: number };
  hl_dead_letters: {
    projection: string;
    generation: number;
    position: string;
    stream: string;
    event_id: string;
    type: string;
    reason: string;
    at: string;
  };
  hl_garbage: { name: string };
}

/**
 * Banks are numbered and hex is kept as bytes: both stand in every key, and keys are most of what an index weighs. Text sorts by its
 * bytes, as SQLite's does: canonical dumps and positions count on it.
 */
const storage: Record<CellType, string> = {
  bank: 'integer',
  text: 'text COLLATE "C"',
  integer: 'bigint',
  real: 'double precision',
  hex: 'bytea',
  blob: 'bytea',
  position: 'text COLLATE "C"',
};

export function tableName(table: Pick<Table, 'name'>, generation: number): string {
  return `${table.name}_g${generation}`;
}

/** The same, as it is written in a statement. */
export function qualified(table: Pick<Table, 'name'>, generation: number): string {
  return `${schemaName}.${tableName(table, generation)}`;
}

export function cellType(type: string): CellType {
  return (type.endsWith('?') ? type.slice(0, -1) : type) as CellType;
}

/**
 * The statements that make a table of one generation, with its indexes. Who is a member of `queryRole` sees the rows of the bank
 * that `hindsight.bank` names, and none while it is not set; the owner, which projects, is not bound.
 */
export function createTable(table: Table, generation: number): string[] {
  const name = tableName(table, generation);
  const full = qualified(table, generation);
  const columns = Object.entries(table.columns).map(
    ([column, type]) => `${column} ${storage[cellType(type)]}${type.endsWith('?') ? '' : ' NOT NULL'}`,
  );
  const key = `PRIMARY KEY (${table.key.join(', ')})`;
  const indexes = (table.indexes ?? []).map(({ columns: indexed, whereSet, whereUnset }, index) => {
    const where = whereSet ? ` WHERE ${whereSet} IS NOT NULL` : whereUnset ? ` WHERE ${whereUnset} IS NULL` : '';
    return `CREATE INDEX ${name}_i${index + 1} ON ${full} (${indexed.join(', ')})${where}`;
  });
  return [
    `CREATE TABLE ${full} (${[...columns, key].join(', ')})${options(table)}`,
    ...(table.appended ? [`ALTER TABLE ${full} ALTER COLUMN ${table.appended.blob} SET STORAGE EXTERNAL`] : []),
    ...indexes,
    `ALTER TABLE ${full} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY of_one_bank ON ${full} FOR SELECT TO ${queryRole} ` +
      `USING (bank = nullif(current_setting('hindsight.bank', true), '')::integer)`,
    `GRANT SELECT ON ${full} TO ${queryRole}`,
  ];
}

/**
 * A row that grows is written anew with every piece: room in its page spares the index, and what is packed already is not compressed
 * nor moved out of the row while it fits a page.
 */
function options({ appended }: Table): string {
  return appended ? ' WITH (fillfactor = 70, toast_tuple_target = 8160)' : '';
}

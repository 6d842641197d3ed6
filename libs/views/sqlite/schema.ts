import type { CellType, Table } from '../table.js';
import { vectorTables } from './vector-tables.js';

/**
 * Stands in `PRAGMA user_version`. A file with a higher one is a newer release's, and left alone. Of 1, vectors were not sealed; of 2, they
 * stood in no blocks, which a release that knows none would leave behind.
 */
export const viewsFormat = 3;

/** What the store itself keeps, beside the projections' tables. */
export const storeTables = `
CREATE TABLE IF NOT EXISTS hl_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hl_banks (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS hl_generations (
  projection TEXT NOT NULL, generation INTEGER NOT NULL, version INTEGER NOT NULL, active INTEGER NOT NULL,
  position TEXT, system_time TEXT NOT NULL, tables TEXT NOT NULL,
  PRIMARY KEY (projection, generation)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hl_numbers (
  projection TEXT NOT NULL, generation INTEGER NOT NULL, bank INTEGER NOT NULL, seq INTEGER NOT NULL, docs INTEGER NOT NULL,
  PRIMARY KEY (projection, generation, bank)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hl_dead_letters (
  projection TEXT NOT NULL, generation INTEGER NOT NULL, position TEXT NOT NULL, stream TEXT NOT NULL,
  event_id TEXT NOT NULL, type TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (projection, generation, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hl_leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
${vectorTables}`;

/** Banks are numbered and hex is kept as bytes: both stand in every key, and keys are most of what an index weighs. */
const storage: Record<CellType, string> = {
  bank: 'INTEGER',
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  hex: 'BLOB',
  blob: 'BLOB',
  position: 'TEXT',
};

export function tableName(table: Table, generation: number): string {
  return `${table.name}_g${generation}`;
}

export function cellType(type: string): CellType {
  return (type.endsWith('?') ? type.slice(0, -1) : type) as CellType;
}

/** The statements that make a table of one generation. */
export function createTable(table: Table, generation: number): string[] {
  const name = tableName(table, generation);
  const columns = Object.entries(table.columns).map(
    ([column, type]) => `${column} ${storage[cellType(type)]}${type.endsWith('?') ? '' : ' NOT NULL'}`,
  );
  const key = `PRIMARY KEY (${table.key.join(', ')})`;
  const indexes = (table.indexes ?? []).map(({ columns: indexed, whereSet, whereUnset }, index) => {
    const where = whereSet ? ` WHERE ${whereSet} IS NOT NULL` : whereUnset ? ` WHERE ${whereUnset} IS NULL` : '';
    return `CREATE INDEX ${name}_i${index + 1} ON ${name} (${indexed.join(', ')})${where}`;
  });
  return [`CREATE TABLE ${name} (${[...columns, key].join(', ')})${table.wide ? '' : ' WITHOUT ROWID'}`, ...indexes];
}

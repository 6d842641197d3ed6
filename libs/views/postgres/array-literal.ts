import type { Cell, Row, Table } from '../table.js';
import { encodeText } from './cells.js';
import { cellType } from './schema.js';

/** The number of a bank; every bank that occurs has one by then. */
export type Numbers = ReadonlyMap<string, number>;

/** How the values of a column are handed over: as one array of this type, read by this expression where `value` is its element. */
interface Handed {
  readonly array: string;
  readonly read: (value: string) => string;
}

const asText: Handed = { array: 'text[]', read: (value) => value };
/** Hex is cheaper to hand over than bytes: it needs no escapes. */
const asHex: Handed = { array: 'text[]', read: (value) => `decode(${value}, 'hex')` };

const handed: Record<ReturnType<typeof cellType>, Handed> = {
  bank: { array: 'integer[]', read: (value) => value },
  text: asText,
  position: asText,
  integer: { array: 'bigint[]', read: (value) => value },
  real: { array: 'double precision[]', read: (value) => value },
  hex: asHex,
  blob: asHex,
};

/**
 * `unnest($1::integer[], …)`: rows of these columns from one array each.
 * @param more types of arrays behind them
 */
export function unnested(table: Table, columns: readonly string[], more: readonly string[] = []): string {
  const types = [...columns.map((column) => handed[cellType(table.columns[column]!)].array), ...more];
  return `unnest(${types.map((type, index) => `$${index + 1}::${type}`).join(', ')})`;
}

/** What stands for a column's value behind `unnest(…) AS alias (columns)`. */
export function givenValue(table: Table, column: string, alias = 'given'): string {
  return handed[cellType(table.columns[column]!)].read(`${alias}.${column}`);
}

/** One column of rows as PostgreSQL's text form of an array, built here since the driver looks at every value anew. */
export function columnLiteral(table: Table, column: string, rows: readonly Row[], numbers: Numbers): string {
  const write = writerOf(table.columns[column]!, numbers);
  const parts: string[] = new Array(rows.length);
  for (let index = 0; index < rows.length; index++) parts[index] = write(rows[index]![column] ?? null);
  return `{${parts.join(',')}}`;
}

/** The same from the cells themselves. */
export function cellsLiteral(type: string, cells: readonly Cell[], numbers: Numbers): string {
  return `{${cells.map(writerOf(type, numbers)).join(',')}}`;
}

function writerOf(type: string, numbers: Numbers): (cell: Cell) => string {
  switch (cellType(type)) {
    case 'bank':
      return (cell) => String(numbers.get(cell as string)!);
    case 'text':
    case 'position':
      return (cell) => (cell === null ? 'NULL' : quoted(encodeText(cell as string)));
    case 'hex':
      return (cell) => (cell === null ? 'NULL' : `"${cell}"`);
    case 'blob':
      return (cell) => (cell === null ? 'NULL' : `"${Buffer.from(cell as Uint8Array).toString('hex')}"`);
    default:
      return (cell) => (cell === null ? 'NULL' : String(cell));
  }
}

function quoted(text: string): string {
  return text.includes('"') || text.includes('\\') ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

import type { Cell, Row, Table } from '../table.js';
import { cellType } from './schema.js';
import type { Store } from './store.js';

type SqlValue = string | number | Uint8Array | null;

/** Turns a table's rows into the values that are bound, in the order of its columns. Numbers banks that are new. */
export function rowEncoder(table: Table, store: Store): (row: Row) => SqlValue[] {
  const columns = Object.entries(table.columns).map(([name, type]) => ({ name, type: cellType(type) }));
  return (row) => {
    const values: SqlValue[] = new Array(columns.length);
    for (let index = 0; index < columns.length; index++) {
      const { name, type } = columns[index]!;
      const cell = row[name] ?? null;
      values[index] =
        cell === null
          ? null
          : type === 'bank'
            ? store.numberBank(cell as string)
            : type === 'hex'
              ? Buffer.from(cell as string, 'hex')
              : cell;
    }
    return values;
  };
}

/** One cell as it is bound in a search; undefined for a bank that was never seen. */
export function searchValue(type: string, cell: Cell, store: Store): SqlValue | undefined {
  switch (cellType(type)) {
    case 'bank':
      return store.bankNumber(cell as string);
    case 'hex':
      return cell === null ? null : Buffer.from(cell as string, 'hex');
    default:
      return cell;
  }
}

/** A cell as it was read. */
export function readCell(type: string, value: SqlValue, store: Store): Cell {
  if (value === null) return null;
  switch (cellType(type)) {
    case 'bank':
      return store.bankId(value as number);
    case 'hex':
      return hexOf(value as Uint8Array);
    default:
      return value;
  }
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

import type { Cell, Row, Table } from '../table.js';
import { cellType } from './schema.js';
import type { Store } from './store.js';

type SqlValue = string | number | Uint8Array | null;

/** Turns a table's rows into the values that are bound, in the order of its columns. Numbers banks that are new. */
export function rowEncoder(table: Table, store: Store): (row: Row) => SqlValue[] {
  const names = Object.keys(table.columns);
  const types = Object.values(table.columns).map(cellType);
  let lastBank: Cell = null;
  let lastNumber = 0;
  return (row) => {
    const values: SqlValue[] = [];
    for (let index = 0; index < names.length; index++) {
      const cell = row[names[index]!] ?? null;
      const type = types[index]!;
      if (type === 'bank' && cell !== null) {
        if (cell !== lastBank) {
          lastNumber = store.numberBank(cell as string);
          lastBank = cell;
        }
        values.push(lastNumber);
      } else values.push(type === 'hex' && cell !== null ? Buffer.from(cell as string, 'hex') : cell);
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

import type { Cell, Row, Table } from '../table.js';
import { cellType } from './schema.js';
import type { Store } from './store.js';

export type SqlValue = string | number | Uint8Array | null;

/** Puts the value of one column of a row behind those that are to be bound. Numbers banks that are new. */
export function valueEncoder(table: Table, store: Store): (row: Row, index: number, values: SqlValue[]) => void {
  const names = Object.keys(table.columns);
  const isBank = Object.values(table.columns).map((type) => cellType(type) === 'bank');
  let lastBank: Cell = null;
  let lastNumber = 0;
  return (row, index, values) => {
    const cell = row[names[index]!] ?? null;
    if (!isBank[index] || cell === null) {
      values.push(cell);
      return;
    }
    if (cell !== lastBank) {
      lastNumber = store.numberBank(cell as string);
      lastBank = cell;
    }
    values.push(lastNumber);
  };
}

/** The placeholder of a value as `valueEncoder` binds it: SQLite turns hex into bytes at a fifth of what it costs here. */
export function placeholder(type: string, parameter: string): string {
  return cellType(type) === 'hex' ? `unhex(${parameter})` : parameter;
}

/** One cell as it is bound where it is written. Numbers a bank that is new. */
export function storedValue(type: string, cell: Cell, store: Store): SqlValue {
  if (cell === null) return null;
  switch (cellType(type)) {
    case 'bank':
      return store.numberBank(cell as string);
    case 'hex':
      return Buffer.from(cell as string, 'hex');
    default:
      return cell;
  }
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

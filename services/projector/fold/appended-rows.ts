import type { Cell, Row, Table } from '#views/table.js';

/** Rows to append to, and what is to go behind their blobs. */
export interface AppendedRows {
  append(row: Row): void;
  size(): number;
  /** In key order, each with all that is to go behind its blob. */
  rows(): Row[];
}

interface Appended {
  readonly row: Row;
  /** What goes behind the blob so far, with room for more. */
  bytes: Uint8Array;
  length: number;
}

/**
 * Kept by the key's widest column inside of the others: a document's postings differ in their term only, and a key made
 * for each of them was a fifth of folding.
 */
export function appendedRows(table: Table): AppendedRows {
  const inner = table.key.find((column) => table.columns[column] === 'hex') ?? table.key.at(-1)!;
  const others = table.key.filter((column) => column !== inner);
  const groups = new Map<string, Map<Cell, Appended>>();
  const blob = table.appended ?? '';
  let last: Row | undefined;
  let group = new Map<Cell, Appended>();
  let size = 0;

  function groupOf(row: Row): Map<Cell, Appended> {
    if (last && others.every((column) => last?.[column] === row[column])) return group;
    const key = joined(row, others);
    last = row;
    group = groups.get(key) ?? new Map();
    groups.set(key, group);
    return group;
  }

  return {
    append(row) {
      const rows = groupOf(row);
      const piece = row[blob] as Uint8Array;
      const before = rows.get(row[inner]!);
      if (before) extend(before, piece);
      else {
        rows.set(row[inner]!, { row, bytes: piece, length: piece.length });
        size++;
      }
    },
    size: () => size,
    rows: () =>
      [...groups.values()].flatMap((each) =>
        [...each.keys()].sort().map((key) => {
          const { row, bytes, length } = each.get(key)!;
          const whole: Record<string, Cell> = { ...row };
          whole[blob] = bytes.subarray(0, length);
          return whole;
        }),
      ),
  };
}

function extend(appended: Appended, piece: Uint8Array): void {
  const length = appended.length + piece.length;
  // The first piece is its maker's: it is full, so it is copied before anything is written behind it.
  if (length > appended.bytes.length) {
    const bytes = new Uint8Array(Math.max(16, length * 2));
    for (let at = 0; at < appended.length; at++) bytes[at] = appended.bytes[at]!;
    appended.bytes = bytes;
  }
  for (let at = 0; at < piece.length; at++) appended.bytes[appended.length + at] = piece[at]!;
  appended.length = length;
}

/** Cells of some columns as one string, for a map's key. */
export function joined(row: Row, columns: readonly string[]): string {
  let key = '';
  for (let index = 0; index < columns.length; index++)
    key += index ? `\n${row[columns[index]!]}` : row[columns[index]!];
  return key;
}

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
  readonly pieces: Uint8Array[];
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
      const before = rows.get(row[inner]!);
      if (before) before.pieces.push(row[blob] as Uint8Array);
      else {
        rows.set(row[inner]!, { row, pieces: [row[blob] as Uint8Array] });
        size++;
      }
    },
    size: () => size,
    rows: () =>
      [...groups.values()].flatMap((each) =>
        [...each.keys()].sort().map((key) => {
          const { row, pieces } = each.get(key)!;
          return pieces.length === 1 ? row : { ...row, [blob]: Buffer.concat(pieces) };
        }),
      ),
  };
}

/** Cells of some columns as one string, for a map's key. */
export function joined(row: Row, columns: readonly string[]): string {
  let key = '';
  for (let index = 0; index < columns.length; index++)
    key += index ? `\n${row[columns[index]!]}` : row[columns[index]!];
  return key;
}

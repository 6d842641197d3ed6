import type { Row, Table } from '#views/table.js';
import type { AppendedPieces } from '#views/views.js';

/** What a batch appends to the rows of a table. */
export interface PiecesInHand {
  append(shared: Row, by: string, piece: string): void;
  all(): AppendedPieces[];
  /** Drops what goes to other rows than these. */
  forget(isKept: (shared: Row) => boolean): void;
}

/** A document's postings differ in their term only: the rest of their key is looked up once for all of them. */
export function piecesInHand(table: Table): PiecesInHand {
  const others = table.key.filter((column) => column !== table.appended?.by);
  const groups = new Map<string, { shared: Row; pieces: Map<string, string> }>();
  let last: Row | undefined;
  let pieces = new Map<string, string>();

  function piecesOf(shared: Row): Map<string, string> {
    const key = joined(shared, others);
    let group = groups.get(key);
    if (!group) {
      group = { shared, pieces: new Map() };
      groups.set(key, group);
    }
    return group.pieces;
  }

  return {
    append(shared, by, piece) {
      if (shared !== last) pieces = piecesOf(shared);
      last = shared;
      const before = pieces.get(by);
      pieces.set(by, before === undefined ? piece : before + piece);
    },
    all: () => [...groups.values()],
    forget(isKept) {
      for (const [key, { shared }] of groups) if (!isKept(shared)) groups.delete(key);
      last = undefined;
    },
  };
}

/** Cells of some columns as one string, for a map's key. */
export function joined(row: Row, columns: readonly string[]): string {
  let key = '';
  for (let index = 0; index < columns.length; index++)
    key += index ? `\n${row[columns[index]!]}` : row[columns[index]!];
  return key;
}

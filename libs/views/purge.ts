import type { Row, Table } from './table.js';

/** A memory whose contents are no more: what was drawn from them goes, up to the moment that said so. */
export interface PurgedMemory {
  readonly bank: string;
  readonly memoryId: string;
  /** Rows of moments up to this one, inclusive. */
  readonly seq: number;
  /** Rows of docs before this one. */
  readonly doc: number;
}

/** Which rows of a purged memory are meant: a table with `memory_id`, and the column that is held against the memory's `seq` or `doc`. */
export interface PurgedRows {
  readonly table: Table;
  readonly until: { readonly column: string; readonly bound: 'seq' | 'doc' };
}

/**
 * What goes of a purged memory, said once per projection (`ProjectionShape.purge`) and carried out in order, behind a batch's other
 * changes. A row that was drawn from nothing must come to the same cells: a rebuild meets events without content, and has the same bytes.
 *
 * `blank`: cells are put to what `set` says · `remove`: rows go · `unpost`: the docs' postings go out of their blocks. With `through`, the
 * rows are those that agree in the column `on` with the rows of that table.
 */
export type PurgeStep =
  | ({ readonly do: 'blank'; readonly set: Row } & (PurgedRows | Through))
  | ({ readonly do: 'remove' } & Through)
  | { readonly do: 'unpost'; readonly postings: Table; readonly terms: Table; readonly docs: PurgedRows };

interface Through {
  readonly table: Table;
  readonly through: PurgedRows;
  readonly on: string;
}

/** What a batch takes out of one partition of a generation, beside the rows that it writes. */
export interface Purges {
  /** Their rows go before the batch's other changes are made. */
  readonly banks: readonly string[];
  /** Carried out after them. */
  readonly memories: readonly PurgedMemory[];
  readonly steps: readonly PurgeStep[];
}

export function isPurging({ purges }: { readonly purges?: Purges | undefined }): boolean {
  return purges !== undefined && purges.banks.length + purges.memories.length > 0;
}

/** Hex digits of a term in a row of the index of terms. */
export const termDigits = 16;

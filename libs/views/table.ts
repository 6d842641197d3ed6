/** What a cell of a read model holds. Adapters choose how each is stored; rows look the same on all of them. */
export type Cell = string | number | Uint8Array | null;

/**
 * `bank` is a bank's id (adapters may number them), `hex` lower-case hex (stored as bytes where that is smaller),
 * `position` a place in the ledger (a canonical dump shows its rank).
 */
export type CellType = 'bank' | 'text' | 'integer' | 'real' | 'hex' | 'blob' | 'position';
export type ColumnType = CellType | `${CellType}?`;

/** Half-open; Infinity where it has no end. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface Index {
  readonly columns: readonly string[];
  /** Only rows where these are set. */
  readonly whereSet?: string;
  /** Only rows where this is not set. */
  readonly whereUnset?: string;
}

/** A table of a projection, without its generation. */
export interface Table {
  readonly name: string;
  readonly columns: { readonly [column: string]: ColumnType };
  /** Unique; the order of a canonical dump. Begins with the bank. */
  readonly key: readonly string[];
  /**
   * The rows that a projection asks for together: those with the same values here, by default the one with this key.
   * `whereUnset` leaves out what is finished, so that a long history is not loaded again with every event. Where the rows of
   * a group are disjoint half-open intervals, `interval` names their ends (the end unset: open): part of a group can be asked for.
   */
  readonly group?: {
    readonly by: readonly string[];
    readonly whereUnset?: string;
    readonly interval?: { readonly from: string; readonly to: string };
  };
  /** Rows are only ever appended to: `blob` grows without being read. `by` is the hex column of the key that tells pieces apart. */
  readonly appended?: { readonly blob: string; readonly by: string };
  readonly indexes?: readonly Index[];
  /** Rows are large: an adapter should keep them out of its key's tree. */
  readonly wide?: boolean;
}

type CellOf<C> = C extends `${infer T}?`
  ? CellOf<T> | null
  : C extends 'integer' | 'real'
    ? number
    : C extends 'blob'
      ? Uint8Array
      : string;

export type RowOf<T extends Table> = { readonly [C in keyof T['columns']]: CellOf<T['columns'][C]> };

/** A row of some table: checked where it is made, carried untyped after. */
export type Row = Readonly<Record<string, Cell>>;

/** Keeps the literal types of a table's columns, which its rows are checked against. */
export function table<const T extends Table>(definition: T): T {
  return definition;
}

export function groupOf(definition: Table): readonly string[] {
  return definition.group?.by ?? definition.key;
}

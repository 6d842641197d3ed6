import type { Row } from '#views/table.js';

/** The rows of one group, each under its key, in the order in which their keys came. */
export interface RowsByKey {
  set(key: string, row: Row): void;
  delete(key: string): void;
  /** A new list. */
  list(): Row[];
  size(): number;
}

/** Most groups are one row, and of those there are several for each event: only a second one is worth a map. */
export function rowsByKey(rows: Iterable<readonly [string, Row]> = []): RowsByKey {
  const found = new FewRows();
  for (const [key, row] of rows) found.set(key, row);
  return found;
}

class FewRows implements RowsByKey {
  #key: string | undefined;
  #row: Row | undefined;
  #many: Map<string, Row> | undefined;

  set(key: string, row: Row): void {
    if (this.#many) {
      this.#many.set(key, row);
    } else if (this.#row === undefined || this.#key === key) {
      this.#key = key;
      this.#row = row;
    } else {
      this.#many = new Map([
        [this.#key!, this.#row],
        [key, row],
      ]);
    }
  }

  delete(key: string): void {
    if (this.#many) this.#many.delete(key);
    else if (this.#key === key) this.#row = undefined;
  }

  list(): Row[] {
    if (this.#many) return [...this.#many.values()];
    return this.#row === undefined ? [] : [this.#row];
  }

  size(): number {
    return this.#many ? this.#many.size : this.#row === undefined ? 0 : 1;
  }
}

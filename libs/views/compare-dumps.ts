import { createHash, type Hash } from 'node:crypto';
import { canonicalLine, createRanks } from './canonical-dump.js';
import type { Cell, Row, Table } from './table.js';
import type { DumpedRow, GenerationId, Views } from './views.js';

/** The first row in which two generations differ. Of what a row says only hashes and names of columns: it may be derived from content. */
export interface Difference {
  readonly table: string;
  /** The row's key: ids, numbers and keyed hashes. */
  readonly key: Readonly<Record<string, Cell>>;
  /** SHA-256 (hex) of the row as the canonical dump has it; unset where it is not there. */
  readonly inUse?: string;
  readonly rebuilt?: string;
  /** Columns that differ, where both have the row. */
  readonly columns: readonly string[];
}

export interface Compared {
  readonly digests: { readonly inUse: string; readonly rebuilt: string };
  /** Of the rebuilt one. */
  readonly rows: number;
  readonly difference?: Difference;
}

type Dump = Awaited<ReturnType<Views['dump']>>;

/**
 * Row for row, and by digest.
 * @param inUse a dump that was begun before; the rebuilt generation stands exactly where it was taken
 */
export async function compareDumps(
  views: Views,
  inUse: Dump,
  rebuilt: GenerationId,
  tables: readonly Table[],
): Promise<Compared> {
  const one = hashing(inUse.rows);
  const other = hashing((await views.dump(rebuilt)).rows);
  let difference: Difference | undefined;
  let [left, right] = [await one.next(), await other.next()];
  while (left || right) {
    if (left?.line !== right?.line) difference ??= differenceOf(left?.row, right?.row, tables);
    [left, right] = [left && (await one.next()), right && (await other.next())];
  }
  return {
    digests: { inUse: one.digest(), rebuilt: other.digest() },
    rows: other.rows(),
    ...(difference ? { difference } : {}),
  };
}

function hashing(rows: AsyncIterable<DumpedRow>) {
  const iterator = rows[Symbol.asyncIterator]();
  const hash: Hash = createHash('sha256');
  const ranks = createRanks();
  let count = 0;
  return {
    async next(): Promise<{ line: string; row: DumpedRow } | undefined> {
      const { value, done } = await iterator.next();
      if (done) return undefined;
      const row = value as DumpedRow;
      const line = canonicalLine(row, ranks);
      hash.update(`${line}\n`);
      count++;
      return { line, row };
    },
    digest: () => hash.digest('hex'),
    rows: () => count,
  };
}

function differenceOf(left: DumpedRow | undefined, right: DumpedRow | undefined, tables: readonly Table[]): Difference {
  const order = left && right ? inOrder(left, right, tables) : left ? -1 : 1;
  const first = (order <= 0 ? left : right)!;
  const { table, row } = first;
  const key = Object.fromEntries(table.key.map((column) => [column, row[column] ?? null]));
  if (order !== 0)
    return { table: table.name, key, [order < 0 ? 'inUse' : 'rebuilt']: hashOf(table, row), columns: [] };
  const columns = Object.keys(table.columns).filter((column) => !isSame(row[column], right!.row[column]));
  return { table: table.name, key, inUse: hashOf(table, row), rebuilt: hashOf(table, right!.row), columns };
}

/** Which of two rows comes first in a dump; 0 for the same key. */
function inOrder(left: DumpedRow, right: DumpedRow, tables: readonly Table[]): number {
  const at = ({ table }: DumpedRow) => tables.findIndex(({ name }) => name === table.name);
  if (at(left) !== at(right)) return at(left) - at(right);
  for (const column of left.table.key) {
    const [one, other] = [left.row[column] ?? null, right.row[column] ?? null];
    if (isSame(one, other)) continue;
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
  }
  return 0;
}

function isSame(one: Cell | undefined, other: Cell | undefined): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return (one ?? null) === (other ?? null);
}

function hashOf(table: Table, row: Row): string {
  // Without ranks, which are no part of a row by itself.
  const cells = Object.keys(table.columns).map((column) => {
    const cell = row[column] ?? null;
    return cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : cell;
  });
  return createHash('sha256')
    .update(JSON.stringify([table.name, ...cells]))
    .digest('hex');
}

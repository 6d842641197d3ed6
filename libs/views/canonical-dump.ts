import { createHash } from 'node:crypto';
import type { Cell, Row, Table } from './table.js';
import type { Checkpoint, DumpedRow, GenerationId, Views } from './views.js';

/**
 * A generation's rows in key order as JSON lines, without generation numbers and with positions replaced by their rank:
 * equal for equal ledgers, whatever the batches, projectors and adapters were.
 */
export async function* canonicalDump(views: Views, id: GenerationId): AsyncGenerator<string> {
  const { rows } = await views.dump(id);
  yield* canonicalLines(rows);
}

/** SHA-256 (hex) of the canonical dump, and the checkpoints that it was taken at, by partition. */
export async function dumpDigest(
  views: Views,
  id: GenerationId,
): Promise<{ checkpoints: readonly Checkpoint[]; digest: string; rows: ReadonlyMap<string, number> }> {
  const { checkpoints, rows } = await views.dump(id);
  const hash = createHash('sha256');
  const counts = new Map<string, number>();
  for await (const line of canonicalLines(counted(rows, counts))) hash.update(`${line}\n`);
  return { checkpoints, digest: hash.digest('hex'), rows: counts };
}

async function* counted(rows: AsyncIterable<DumpedRow>, counts: Map<string, number>): AsyncGenerator<DumpedRow> {
  for await (const dumped of rows) {
    counts.set(dumped.table.name, (counts.get(dumped.table.name) ?? 0) + 1);
    yield dumped;
  }
}

async function* canonicalLines(rows: AsyncIterable<DumpedRow>): AsyncGenerator<string> {
  const ranks = createRanks();
  for await (const row of rows) yield canonicalLine(row, ranks);
}

/** Ranks of positions, of rows that follow each other as in a dump. */
export interface Ranks {
  /** Of the next position in a row of this bank. */
  next(bank: Cell): number;
}

/** A bank's positions ascend with its rows, so their rank within the bank is known without a second pass. */
export function createRanks(): Ranks {
  let last: Cell = null;
  let rank = 0;
  return {
    next(bank) {
      if (bank !== last) rank = 0;
      last = bank;
      return ++rank;
    },
  };
}

export function canonicalLine({ table, row }: DumpedRow, ranks: Ranks): string {
  return JSON.stringify([table.name, ...canonicalCells(table, row, () => ranks.next(row.bank ?? null))]);
}

function canonicalCells(table: Table, row: Row, nextRank: () => number): (string | number | null)[] {
  return Object.entries(table.columns).map(([column, type]) => {
    const cell = row[column] ?? null;
    if (cell !== null && (type === 'position' || type === 'position?')) return nextRank();
    return cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : cell;
  });
}

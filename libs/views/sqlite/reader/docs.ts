import { type DocCells, docColumns, docFromCells } from '../../doc-records.js';
import type { ViewsReader } from '../../reader.js';
import type { DocRow, SpanRow, SpanStatus } from '../../rows.js';
import type { BankView, Tables } from './tables.js';

export const spanColumns =
  'memory_id, doc, version, status, valid_from, valid_to, seq_from, seq_to, system_from, system_to';

export type SpanArray = [
  string,
  number,
  number,
  SpanStatus,
  number,
  number | null,
  number,
  number | null,
  string,
  string | null,
];

/** What the index in memory is loaded from: all of a bank at its first question, so rows come as arrays. */
export function docReader(tables: Tables): Pick<ViewsReader, 'docsFrom' | 'spansChangedAfter'> {
  return {
    docsFrom: (bank, doc) =>
      tables.read<DocRow[]>(
        bank,
        (view) =>
          (
            view
              .arrays(`SELECT ${docColumns} FROM {docs} WHERE bank = ? AND doc >= ? ORDER BY doc`)
              .all(view.bank, doc) as unknown as DocCells[]
          ).map(docFromCells),
        [],
      ),
    spansChangedAfter: (bank, seq) => tables.read<SpanRow[]>(bank, (view) => spansChangedAfter(view, seq), []),
  };
}

function spansChangedAfter({ bank, arrays }: BankView, seq: number): SpanRow[] {
  const rows =
    seq <= 0
      ? arrays(`SELECT ${spanColumns} FROM {spans} WHERE bank = ?`).all(bank)
      : arrays(
          `SELECT ${spanColumns} FROM {spans} WHERE bank = ?1 AND seq_from > ?2 UNION ALL ` +
            `SELECT ${spanColumns} FROM {spans} WHERE bank = ?1 AND seq_to > ?2 AND seq_from <= ?2`,
        ).all(bank, seq);
  return (rows as SpanArray[]).map(toSpan);
}

export function toSpan(row: SpanArray): SpanRow {
  return {
    memoryId: row[0],
    doc: row[1],
    version: row[2],
    status: row[3],
    validFrom: row[4],
    validTo: row[5] ?? Infinity,
    seqFrom: row[6],
    seqTo: row[7] ?? Infinity,
    systemFrom: row[8],
    systemTo: row[9] ?? undefined,
  };
}

import type { MemoryKind } from '#events/version-fields.js';
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

type DocArray = [number, string, number, number, number | null, MemoryKind];

/** What the index in memory is loaded from: all of a bank at its first question, so rows come as arrays. */
export function docReader(tables: Tables): Pick<ViewsReader, 'docsFrom' | 'spansChangedAfter'> {
  return {
    docsFrom: (bank, doc) =>
      tables.read<DocRow[]>(
        bank,
        (view) =>
          (
            view
              .arrays(
                'SELECT doc, memory_id, version, length, expires_at, kind FROM {docs} WHERE bank = ? AND doc >= ? ORDER BY doc',
              )
              .all(view.bank, doc) as DocArray[]
          ).map(toDoc),
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

function toDoc([doc, memoryId, version, length, expiresAt, kind]: DocArray): DocRow {
  return { doc, memoryId, version, length, expiresAt: expiresAt ?? Infinity, kind };
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

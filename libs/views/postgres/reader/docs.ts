import { type DocCells, docColumns, docFromCells } from '../../doc-records.js';
import type { ViewsReader } from '../../reader.js';
import type { DocRow, SpanRow, SpanStatus } from '../../rows.js';
import { decodeText } from '../cells.js';
import type { Banks, BankView } from './bank-view.js';

export const spanColumns =
  'memory_id, doc, version, status, valid_from, valid_to, seq_from, seq_to, system_from, system_to';

export type SpanArray = readonly [
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

/** Rows fetched at once: what the driver holds of a bank of a million is bounded, and a round trip per page costs nothing beside it. */
const page = 50_000;

/** What the index in memory is loaded from: all of a bank at its first question, so rows come as arrays. */
export function docReader(banks: Banks): Pick<ViewsReader, 'docsFrom' | 'spansChangedAfter'> {
  return {
    docsFrom: (bank, doc) => banks.read<DocRow[]>(bank, (view) => docsFrom(view, doc), []),
    spansChangedAfter: (bank, seq) =>
      banks.read<SpanRow[]>(bank, (view) => (seq <= 0 ? allSpans(view) : spansChangedAfter(view, seq)), []),
  };
}

async function docsFrom(view: BankView, doc: number): Promise<DocRow[]> {
  const docs: DocRow[] = [];
  for (let from = doc; ; from = docs.at(-1)!.doc + 1) {
    const rows = await view.arrays<DocCells>(
      `SELECT ${docColumns} FROM {docs} WHERE bank = $1 AND doc >= $2 ORDER BY doc LIMIT $3`,
      from,
      page,
    );
    for (const row of rows) docs.push(toDoc(row));
    if (rows.length < page) return docs;
  }
}

async function allSpans(view: BankView): Promise<SpanRow[]> {
  const spans: SpanRow[] = [];
  let after: [string, number, number] = ['', 0, 0];
  while (true) {
    const rows = await view.arrays<SpanArray>(
      `SELECT ${spanColumns} FROM {spans} WHERE bank = $1 AND (memory_id, seq_from, valid_from) > ($2, $3, $4)
        ORDER BY memory_id, seq_from, valid_from LIMIT $5`,
      ...after,
      page,
    );
    for (const row of rows) spans.push(toSpan(row));
    if (rows.length < page) return spans;
    const { memoryId, seqFrom, validFrom } = spans.at(-1)!;
    after = [memoryId, seqFrom, validFrom];
  }
}

async function spansChangedAfter(view: BankView, seq: number): Promise<SpanRow[]> {
  const rows = await view.arrays<SpanArray>(
    `SELECT ${spanColumns} FROM {spans} WHERE bank = $1 AND seq_from > $2
      UNION ALL SELECT ${spanColumns} FROM {spans} WHERE bank = $1 AND seq_to > $2 AND seq_from <= $2`,
    seq,
  );
  return rows.map(toSpan);
}

function toDoc(cells: DocCells): DocRow {
  const row = docFromCells(cells);
  row.memoryId = decodeText(row.memoryId);
  if (row.sessionId !== undefined) row.sessionId = decodeText(row.sessionId);
  return row;
}

export function toSpan(row: SpanArray): SpanRow {
  return {
    memoryId: decodeText(row[0]),
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

import type { ViewsReader } from '../../reader.js';
import type { ChangeRow, SpanRow, VersionRow } from '../../rows.js';
import { type ChangeRecord, toChange, toVersion, type VersionRecord } from '../../version-records.js';
import { type SpanArray, spanColumns, toSpan } from './docs.js';
import type { BankView, Tables } from './tables.js';

export function historyReader(
  tables: Tables,
): Pick<ViewsReader, 'changesOf' | 'spansOf' | 'turnsBetween' | 'docsAround' | 'versionsByDoc' | 'banks'> {
  return {
    changesOf: (bank, memoryId) => tables.read(bank, (view) => changesOf(view, bank, memoryId), []),
    spansOf: (bank, memoryId) =>
      tables.read<SpanRow[]>(
        bank,
        (view) =>
          (
            view
              .arrays(
                `SELECT ${spanColumns} FROM {spans} WHERE bank = ? AND memory_id = ? ORDER BY seq_from, valid_from`,
              )
              .all(view.bank, memoryId) as SpanArray[]
          ).map(toSpan),
        [],
      ),
    turnsBetween: (bank, after, upTo, limit) =>
      tables.read<ChangeRow[]>(
        bank,
        (view) =>
          (
            view
              .sql('SELECT * FROM {changes} WHERE bank = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?')
              .all(view.bank, after, upTo, limit) as ChangeRecord[]
          ).map((record) => toChange(bank, record)),
        [],
      ),
    docsAround: (bank, versions, count) =>
      tables.read<{ before: number[]; after: number[] }[]>(
        bank,
        (view) => versions.map((version) => docsAround(view, version, count)),
        [],
      ),
    versionsByDoc: (bank, docs) => tables.read(bank, (view) => versionsByDoc(view, bank, docs), []),
    banks: () =>
      tables.readAll(({ sql }) =>
        (
          sql(
            `SELECT * FROM {bank_events} WHERE type IN ('BankCreated', 'BankErased') ORDER BY bank, seq`,
          ).all() as (ChangeRecord & { bank: number })[]
        ).map((record) => toChange(tables.bankId(record.bank), record)),
      ),
  };
}

function changesOf(view: BankView, bank: string, memoryId: string): (ChangeRow | VersionRow)[] {
  const versions = view
    .sql('SELECT * FROM {versions} WHERE bank = ? AND memory_id = ?')
    .all(view.bank, memoryId) as VersionRecord[];
  const changes = view
    .sql('SELECT * FROM {changes} WHERE bank = ? AND memory_id = ?')
    .all(view.bank, memoryId) as ChangeRecord[];
  return [
    ...versions.map((record) => toVersion(bank, record)),
    ...changes.map((record) => toChange(bank, record)),
  ].sort((one, other) => one.seq - other.seq);
}

function docsAround(
  { bank, arrays }: BankView,
  { memoryId, doc }: { readonly memoryId: string; readonly doc: number },
  count: number,
): { before: number[]; after: number[] } {
  const of = 'SELECT doc FROM {versions} WHERE bank = ? AND memory_id = ? AND doc';
  const before = arrays(`${of} < ? ORDER BY doc DESC LIMIT ?`).all(bank, memoryId, doc, count) as [number][];
  const after = arrays(`${of} > ? ORDER BY doc LIMIT ?`).all(bank, memoryId, doc, count) as [number][];
  return { before: before.flat(), after: after.flat() };
}

function versionsByDoc(view: BankView, bank: string, docs: readonly number[]): VersionRow[] {
  const select = view.sql('SELECT * FROM {versions} WHERE bank = ? AND doc = ?');
  const rows: VersionRow[] = [];
  for (const doc of docs) {
    const record = select.get(view.bank, doc) as VersionRecord | undefined;
    if (record) rows.push(toVersion(bank, record));
  }
  return rows;
}

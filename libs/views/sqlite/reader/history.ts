import type { ViewsReader } from '../../reader.js';
import type { ChangeRow, SpanRow, VersionRow } from '../../rows.js';
import { type ChangeRecord, toChange, toVersion, type VersionRecord } from '../../version-records.js';
import { type SpanArray, spanColumns, toSpan } from './docs.js';
import type { BankView, Tables } from './tables.js';

export function historyReader(tables: Tables): Pick<ViewsReader, 'changesOf' | 'spansOf' | 'versionsByDoc' | 'banks'> {
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
    versionsByDoc: (bank, docs) => tables.read(bank, (view) => versionsByDoc(view, bank, docs), []),
    banks: () =>
      tables.readAll(({ sql }) =>
        (sql('SELECT * FROM {bank_events} ORDER BY bank, seq').all() as (ChangeRecord & { bank: number })[]).map(
          (record) => toChange(tables.bankId(record.bank), record),
        ),
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

function versionsByDoc(view: BankView, bank: string, docs: readonly number[]): VersionRow[] {
  const select = view.sql('SELECT * FROM {versions} WHERE bank = ? AND doc = ?');
  const rows: VersionRow[] = [];
  for (const doc of docs) {
    const record = select.get(view.bank, doc) as VersionRecord | undefined;
    if (record) rows.push(toVersion(bank, record));
  }
  return rows;
}

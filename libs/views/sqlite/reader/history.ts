import type { ViewsReader } from '../../reader.js';
import type { ChangeRow, SpanRow, VersionRow } from '../../rows.js';
import { type ChangeRecord, toChange } from '../../version-records.js';
import { type SpanArray, spanColumns, toSpan } from './docs.js';
import type { BankView, Tables } from './tables.js';
import { type VersionCells, versionColumns, versionFromCells } from './version-cells.js';

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
    .arrays(`SELECT ${versionColumns} FROM {versions} WHERE bank = ? AND memory_id = ?`)
    .all(view.bank, memoryId) as unknown as VersionCells[];
  const changes = view
    .sql('SELECT * FROM {changes} WHERE bank = ? AND memory_id = ?')
    .all(view.bank, memoryId) as ChangeRecord[];
  return [
    ...versions.map((cells) => versionFromCells(bank, cells)),
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

/** Docs side by side are read as a range: all of a bank, as an audit has it, in one statement per page. */
function versionsByDoc(view: BankView, bank: string, docs: readonly number[]): VersionRow[] {
  const select = `SELECT ${versionColumns} FROM {versions} WHERE bank = ? AND doc`;
  // Asked for in any order: a recall names the best first.
  const first = docs.reduce((one, other) => Math.min(one, other), Infinity);
  const last = docs.reduce((one, other) => Math.max(one, other), -Infinity);
  if (docs.length < fewest || last - first + 1 > docs.length * sparsest) {
    const one = view.arrays(`${select} = ?`);
    return docs.flatMap((doc) => {
      const cells = one.get(view.bank, doc) as unknown as VersionCells | undefined;
      return cells ? [versionFromCells(bank, cells)] : [];
    });
  }
  const wanted = new Set(docs);
  const rows = new Map<number, VersionRow>();
  const range = view.arrays(`${select} BETWEEN ? AND ?`).iterate(view.bank, first, last);
  for (const cells of range as unknown as Iterable<VersionCells>)
    if (wanted.has(cells[0])) rows.set(cells[0], versionFromCells(bank, cells));
  return docs.flatMap((doc) => rows.get(doc) ?? []);
}

/** Below this a statement per doc is as fast; and of a range at least one row in so many is to be wanted. */
const fewest = 16;
const sparsest = 2;

import type { ViewsReader } from '../../reader.js';
import type { ChangeRow, SpanRow, VersionRow } from '../../rows.js';
import { type ChangeRecord, toChange, toVersion, type VersionRecord } from '../../version-records.js';
import { decodeText, encodeText } from '../cells.js';
import type { Banks, BankView } from './bank-view.js';
import { type SpanArray, spanColumns, toSpan } from './docs.js';
import { safeMoment } from './moments.js';

export function historyReader(
  banks: Banks,
): Pick<ViewsReader, 'changesOf' | 'spansOf' | 'turnsBetween' | 'docsAround' | 'versionsByDoc' | 'banks'> {
  return {
    changesOf: (bank, memoryId) => banks.read(bank, (view) => changesOf(view, bank, memoryId), []),
    spansOf: (bank, memoryId) => banks.read<SpanRow[]>(bank, (view) => spansOf(view, memoryId), []),
    turnsBetween: (bank, after, upTo, limit) =>
      banks.read<ChangeRow[]>(
        bank,
        async (view) =>
          (
            await view.rows<ChangeRecord>(
              `SELECT * FROM {changes} WHERE bank = $1 AND seq > $2 AND seq <= least($3, ${safeMoment}) ORDER BY seq LIMIT $4`,
              after,
              upTo,
              limit,
            )
          ).map((record) => toChange(bank, decoded(record))),
        [],
      ),
    docsAround: (bank, versions, count) => banks.read(bank, (view) => docsAround(view, versions, count), []),
    versionsByDoc: (bank, docs) => banks.read(bank, (view) => versionsByDoc(view, bank, docs), []),
    async banks() {
      const events = await banks.ask<{ bank: string; event: ChangeRecord }>(
        `SELECT bank, event FROM hindsight.hl_bank_events() WHERE event->>'type' IN ('BankCreated', 'BankErased')`,
      );
      return events.map(({ bank, event }) => toChange(bank, decoded(event)));
    },
  };
}

async function changesOf(view: BankView, bank: string, memoryId: string): Promise<(ChangeRow | VersionRow)[]> {
  const where = `WHERE bank = $1 AND memory_id = $2 AND seq <= ${safeMoment}`;
  const versions = await view.rows<VersionRecord>(`SELECT * FROM {versions} ${where}`, memoryId);
  const changes = await view.rows<ChangeRecord>(`SELECT * FROM {changes} ${where}`, memoryId);
  return [
    ...versions.map((record) => toVersion(bank, decoded(record))),
    ...changes.map((record) => toChange(bank, decoded(record))),
  ].sort((one, other) => one.seq - other.seq);
}

/** As they were at the last moment that every projection has passed. */
async function spansOf(view: BankView, memoryId: string): Promise<SpanRow[]> {
  const rows = await view.arrays<[...SpanArray, number]>(
    `SELECT ${spanColumns}, safe.seq FROM {spans}, (SELECT ${safeMoment} AS seq) AS safe
      WHERE bank = $1 AND memory_id = $2 AND seq_from <= safe.seq ORDER BY seq_from, valid_from`,
    memoryId,
  );
  return rows.map(([...row]) => {
    const span = toSpan(row as unknown as SpanArray);
    return span.seqTo > row[10] ? { ...span, seqTo: Infinity, systemTo: undefined } : span;
  });
}

/** One statement for all of them: a search that shows what its items replaced takes one round trip more. */
async function docsAround(
  view: BankView,
  versions: readonly { readonly memoryId: string; readonly doc: number }[],
  count: number,
): Promise<{ before: number[]; after: number[] }[]> {
  const around = (comparison: string, order: string) =>
    `ARRAY(SELECT held.doc FROM {versions} AS held WHERE held.bank = $1 AND held.memory_id = asked.memory_id
      AND held.doc ${comparison} asked.doc ORDER BY held.doc ${order} LIMIT $4)`;
  const rows = await view.arrays<[number[], number[]]>(
    `SELECT ${around('<', 'DESC')}, ${around('>', 'ASC')}
      FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS asked (memory_id, doc, at) ORDER BY asked.at`,
    versions.map(({ memoryId }) => encodeText(memoryId)),
    versions.map(({ doc }) => doc),
    count,
  );
  return rows.map(([before, after]) => ({ before: before.map(Number), after: after.map(Number) }));
}

async function versionsByDoc(view: BankView, bank: string, docs: readonly number[]): Promise<VersionRow[]> {
  if (docs.length === 0) return [];
  const records = await view.rows<VersionRecord>(
    'SELECT * FROM {versions} WHERE bank = $1 AND doc = ANY($2::bigint[])',
    docs,
  );
  const byDoc = new Map(records.map((record) => [record.doc, record]));
  return docs.flatMap((doc) => {
    const record = byDoc.get(doc);
    return record ? [toVersion(bank, decoded(record))] : [];
  });
}

/** Every text of a row, as it was before it was stored. */
export function decoded<R extends object>(record: R): R {
  const row: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(record))
    row[column] = typeof value === 'string' ? decodeText(value) : value;
  return row as R;
}

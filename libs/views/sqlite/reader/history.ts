import type { MemoryKind, MemoryOrigin } from '#events/version-fields.js';
import type { ViewsReader } from '../../reader.js';
import type { ChangeRow, SpanRow, VersionRow } from '../../rows.js';
import { type SpanArray, spanColumns, toSpan } from './docs.js';
import type { BankView, Tables } from './tables.js';

interface ChangeRecord {
  bank: number;
  memory_id?: string;
  seq: number;
  stream: string;
  event_id: string;
  type: string;
  schema: number;
  recorded_at: string;
  subjects: string | null;
  principal: string;
  agent: string | null;
  tool: string | null;
  box: string | null;
}

interface VersionRecord extends ChangeRecord {
  memory_id: string;
  doc: number;
  version: number;
  kind: MemoryKind;
  origin: MemoryOrigin;
  occurred_at: string | null;
  valid_from: string;
  valid_to: string | null;
  expires_at: string | null;
  importance: number | null;
  confidence: number | null;
  trust: number | null;
  session_id: string | null;
  task_id: string | null;
  step: string | null;
  derived_from: string | null;
}

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
        (sql('SELECT * FROM {bank_events} ORDER BY bank, seq').all() as ChangeRecord[]).map((record) =>
          toChange(tables.bankId(record.bank), record),
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

function toChange(bank: string, record: ChangeRecord): ChangeRow {
  return {
    bank,
    memoryId: record.memory_id ?? '',
    seq: record.seq,
    stream: record.stream,
    eventId: record.event_id,
    type: record.type,
    schema: record.schema,
    recordedAt: record.recorded_at,
    subjects: record.subjects === null ? [] : (JSON.parse(record.subjects) as string[]),
    principal: record.principal,
    ...(record.agent === null ? {} : { agent: record.agent }),
    ...(record.tool === null ? {} : { tool: record.tool }),
    ...(record.box === null ? {} : { box: record.box }),
  };
}

function toVersion(bank: string, record: VersionRecord): VersionRow {
  return {
    ...toChange(bank, record),
    doc: record.doc,
    version: record.version,
    box: record.box ?? '',
    kind: record.kind,
    origin: record.origin,
    validFrom: record.valid_from,
    ...(record.occurred_at === null ? {} : { occurredAt: record.occurred_at }),
    ...(record.valid_to === null ? {} : { validTo: record.valid_to }),
    ...(record.expires_at === null ? {} : { expiresAt: record.expires_at }),
    ...(record.importance === null ? {} : { importance: record.importance }),
    ...(record.confidence === null ? {} : { confidence: record.confidence }),
    ...(record.trust === null ? {} : { trust: record.trust }),
    ...(record.session_id === null ? {} : { sessionId: record.session_id }),
    ...(record.task_id === null ? {} : { taskId: record.task_id }),
    ...(record.step === null ? {} : { step: record.step }),
    derivedFrom: record.derived_from === null ? [] : (JSON.parse(record.derived_from) as string[]),
  };
}

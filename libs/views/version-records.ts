import type { MemoryKind, MemoryOrigin } from '#events/version-fields.js';
import type { ChangeRow, VersionRow } from './rows.js';

/** A row of the tables `changes` and `bank_events`, as every adapter reads it. */
export interface ChangeRecord {
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

/** A row of the table `versions`. */
export interface VersionRecord extends ChangeRecord {
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

export function toChange(bank: string, record: ChangeRecord): ChangeRow {
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

export function toVersion(bank: string, record: VersionRecord): VersionRow {
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

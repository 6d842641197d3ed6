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

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function toChange(bank: string, record: ChangeRecord): ChangeRow {
  const { subjects, agent, tool, box } = record;
  const row: Mutable<ChangeRow> = {
    bank,
    memoryId: record.memory_id ?? '',
    seq: record.seq,
    stream: record.stream,
    eventId: record.event_id,
    type: record.type,
    schema: record.schema,
    recordedAt: record.recorded_at,
    subjects: subjects === null ? none : (JSON.parse(subjects) as string[]),
    principal: record.principal,
  };
  if (agent !== null) row.agent = agent;
  if (tool !== null) row.tool = tool;
  if (box !== null) row.box = box;
  return row;
}

/** Member by member: an audit reads all of a bank, and spreading as many objects took longer than reading the rows. */
export function toVersion(bank: string, record: VersionRecord): VersionRow {
  const row = toChange(bank, record) as Mutable<VersionRow>;
  row.doc = record.doc;
  row.version = record.version;
  row.box = record.box ?? '';
  row.kind = record.kind;
  row.origin = record.origin;
  row.validFrom = record.valid_from;
  row.derivedFrom = record.derived_from === null ? none : (JSON.parse(record.derived_from) as string[]);
  if (record.occurred_at !== null) row.occurredAt = record.occurred_at;
  if (record.valid_to !== null) row.validTo = record.valid_to;
  if (record.expires_at !== null) row.expiresAt = record.expires_at;
  if (record.importance !== null) row.importance = record.importance;
  if (record.confidence !== null) row.confidence = record.confidence;
  if (record.trust !== null) row.trust = record.trust;
  if (record.session_id !== null) row.sessionId = record.session_id;
  if (record.task_id !== null) row.taskId = record.task_id;
  if (record.step !== null) row.step = record.step;
  return row;
}

const none: readonly string[] = [];

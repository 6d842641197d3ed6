import type { BankErased } from '#events/bank-erased.js';
import type { ErasureCompleted } from '#events/erasure-completed.js';
import type { ErasureOrdered } from '#events/erasure-ordered.js';
import type { VersionData } from '#events/version-fields.js';
import { isTurn, startsAnew, turns, validFromOf } from '#memory/fold-memory.js';
import type { ValidSpan } from '#memory/memory-state.js';
import { spanDifference } from '#memory/spans.js';
import { assign } from '#memory/valid-time.js';
import { boxText } from '#views/box-text.js';
import type { SpanStatus } from '#views/rows.js';
import type { Interval, RowOf } from '#views/table.js';
import {
  bankEventsTable,
  changesTable,
  erasedValuesTable,
  erasuresTable,
  momentsTable,
  spansTable,
  versionSourcesTable,
  versionSubjectsTable,
  versionsShape,
  versionsTable,
} from '#views/tables/versions.js';
import type { Place, ProjectedEvent, Projection, RowsInHand } from './projection.js';

type SpanRecord = RowOf<typeof spansTable>;

/** Values of the column `aside`. */
const isCurrent = 0;
const isAside = 1;

/** Every version with both time axes, and everything else that happened to a memory. Opens nothing. */
export const versions: Projection = {
  ...versionsShape,
  needs: ({ envelope, event }, ask) => {
    const { bank } = envelope;
    switch (event.type) {
      case 'MemoryRevised': {
        // What is aside is closed for good or taken up again; of what holds only what the version cuts: a slot may have thousands.
        const { memoryId } = event.data;
        ask(spansTable, [bank, memoryId, isAside]);
        return ask(spansTable, [bank, memoryId, isCurrent], intervalOf(event.data, envelope.recordedAt));
      }
      case 'ErasureOrdered':
      case 'ErasureCompleted':
      case 'BankErased':
        return ask(erasuresTable, [bank, event.data.erasureId]);
      default:
        if (event.type !== 'MemoryErased' && !isTurn(event)) return;
        ask(spansTable, [bank, event.data.memoryId, isAside]);
        ask(spansTable, [bank, event.data.memoryId, isCurrent]);
    }
  },
  apply: (projected, place, rows) => {
    const { envelope, event, position, hash } = projected;
    const { bank } = envelope;
    rows.add(momentsTable, {
      bank,
      seq: place.seq,
      position,
      event_id: envelope.id,
      hash,
      system_time: place.systemTime,
    });
    switch (event.type) {
      case 'MemoryRecorded':
      case 'MemoryRevised':
        addVersion(event.data, projected, place, rows);
        return assignSpan(event.data, projected, place, rows);
      case 'MemoryRated':
        // It turns nothing: what it leaves is that it happened.
        return rows.add(changesTable, {
          bank,
          memory_id: event.data.memoryId,
          seq: place.seq,
          ...provenance(projected),
        });
      case 'BankCreated':
      case 'BankConfigured':
      case 'BankErased':
      case 'ErasureOrdered':
      case 'ErasureCompleted':
        rows.add(bankEventsTable, { bank, seq: place.seq, ...provenance(projected) });
        return event.type === 'BankCreated' || event.type === 'BankConfigured'
          ? undefined
          : noteErasure(event, bank, place, rows);
      default: {
        if (event.type !== 'MemoryErased' && !isTurn(event)) return;
        const { memoryId } = event.data;
        rows.add(changesTable, { bank, memory_id: memoryId, seq: place.seq, ...provenance(projected) });
        if (event.type === 'MemoryErased')
          for (const fingerprint of new Set(event.data.fingerprints))
            rows.put(erasedValuesTable, { bank, fingerprint, memory_id: memoryId });
        const status = event.type === 'MemoryErased' ? 'erased' : turns[event.type].status;
        return turnSpans(status, bank, memoryId, place, rows);
      }
    }
  },
};

function addVersion(data: VersionData, projected: ProjectedEvent, place: Place, rows: RowsInHand): void {
  const { envelope } = projected;
  const { bank, recordedAt, subjects, box } = envelope;
  const { doc, seq } = place;
  // Member by member, as wherever rows are made: an object that is spread into another takes ten times as long to make.
  rows.add(versionsTable, {
    bank,
    doc,
    memory_id: data.memoryId,
    seq,
    version: data.version,
    kind: data.kind,
    origin: data.origin,
    happened_at: data.occurredAt ?? recordedAt,
    occurred_at: data.occurredAt ?? null,
    valid_from: data.validFrom ?? data.occurredAt ?? recordedAt,
    valid_to: data.validTo ?? null,
    expires_at: data.expiresAt ?? null,
    importance: data.importance ?? null,
    confidence: data.confidence ?? null,
    trust: envelope.trust ?? null,
    session_id: envelope.session ?? null,
    task_id: envelope.task ?? null,
    step: envelope.step ?? null,
    derived_from: data.derivedFrom?.length ? JSON.stringify(data.derivedFrom) : null,
    stream: envelope.stream,
    event_id: envelope.id,
    type: envelope.type,
    schema: envelope.schema,
    recorded_at: recordedAt,
    subjects: subjects?.length ? JSON.stringify(subjects) : null,
    principal: envelope.principal,
    agent: envelope.agent ?? null,
    tool: envelope.tool ?? null,
    box: box ? boxText(box) : '',
  });
  if (data.derivedFrom)
    for (const source_id of new Set(data.derivedFrom)) rows.add(versionSourcesTable, { bank, source_id, doc });
  if (subjects)
    for (const subject_hash of new Set(subjects)) rows.add(versionSubjectsTable, { bank, subject_hash, doc });
}

/**
 * What is not cut keeps its rectangle; what was archived is taken up again as it is; what was taken back stays closed: a write after it starts
 * the timeline anew. What is written to a memory that is held back lies over what is there and cuts nothing yet: no version of it is
 * superseded, and so to be seen, before a reviewer has looked.
 */
function assignSpan(data: VersionData, { envelope }: ProjectedEvent, place: Place, rows: RowsInHand): void {
  const { bank } = envelope;
  const { memoryId, version } = data;
  const interval = intervalOf(data, envelope.recordedAt);
  const aside = rows.of(spansTable, bank, memoryId, isAside);
  if (aside.some(({ status }) => status === 'quarantined')) {
    const { from, to } = interval;
    const at = { version, doc: place.doc };
    rows.put(spansTable, spanRow(bank, memoryId, at, from, to, 'quarantined', place));
    return;
  }
  for (const row of aside) close(row, place, rows);
  const current = rows.of(spansTable, bank, memoryId, isCurrent);
  // Most versions are the first of their memory: there is nothing to cut.
  if (aside.length === 0 && current.length === 0) {
    const { from, to } = interval;
    const at = { version, doc: place.doc };
    if (from < to) rows.put(spansTable, spanRow(bank, memoryId, at, from, to, 'current', place));
    return;
  }
  const takenUp = aside.filter(({ status }) => !startsAnew(status as SpanStatus));
  const before = current.map(toValidSpan);
  const held = [...before, ...takenUp.map(toValidSpan)];
  const { closed, opened } = spanDifference(before, assign(held, { version, ...interval }));
  if (closed.length) {
    const ended = new Set(closed.map(({ from }) => from));
    for (const row of current) if (ended.has(row.valid_from)) close(row, place, rows);
  }
  const docs = new Map<number, number>([[version, place.doc]]);
  for (const row of current) docs.set(row.version, row.doc);
  for (const row of takenUp) docs.set(row.version, row.doc);
  for (const { version: shown, from, to } of opened)
    rows.put(
      spansTable,
      spanRow(bank, memoryId, { version: shown, doc: docs.get(shown)! }, from, to, 'current', place),
    );
}

function spanRow(
  bank: string,
  memoryId: string,
  { version, doc }: { readonly version: number; readonly doc: number },
  from: number,
  to: number,
  status: SpanStatus,
  { seq, systemTime }: Place,
): SpanRecord {
  return {
    bank,
    memory_id: memoryId,
    seq_from: seq,
    valid_from: from,
    valid_to: endOf(to),
    seq_to: null,
    doc,
    version,
    status,
    aside: status === 'current' ? isCurrent : isAside,
    system_from: systemTime,
    system_to: null,
  };
}

/** All that stands open, whatever it stands as. What was written while the memory was held back cuts now what it lay over. */
function turnSpans(status: SpanStatus, bank: string, memoryId: string, place: Place, rows: RowsInHand): void {
  const open = [
    ...rows.of(spansTable, bank, memoryId, isCurrent),
    ...rows.of(spansTable, bank, memoryId, isAside),
  ].filter((row) => row.status !== status);
  const rowOf = new Map(open.map((row) => [row.version, row]));
  for (const row of open) close(row, place, rows);
  for (const { version, from, to } of timelineOf(open))
    rows.put(spansTable, spanRow(bank, memoryId, rowOf.get(version)!, from, to, status, place));
}

/** Open spans of a memory, disjoint: all are but those that were laid, since it was held back, over those that were there then. */
function timelineOf(open: readonly SpanRecord[]): readonly ValidSpan[] {
  if (open[0]?.status !== 'quarantined') return open.map(toValidSpan);
  const first = open.reduce((least, { seq_from }) => Math.min(least, seq_from), Infinity);
  const base = open.filter(({ seq_from }) => seq_from === first);
  const over = open.filter(({ seq_from }) => seq_from !== first).sort((one, other) => one.seq_from - other.seq_from);
  return over.map(toValidSpan).reduce<readonly ValidSpan[]>(assign, base.map(toValidSpan));
}

function endOf(to: number): number | null {
  return to === Infinity ? null : to;
}

/** An end of the bank is an order by itself: what was ordered before it went with the bank. */
function noteErasure(
  event: ErasureOrdered | ErasureCompleted | BankErased,
  bank: string,
  { seq }: Place,
  rows: RowsInHand,
): void {
  const erasureId = event.data.erasureId;
  const before = rows.of(erasuresTable, bank, erasureId)[0] ?? { parts_stored: 0, parts: 0, state: 'partial' };
  const stored = before.parts_stored + (event.type === 'ErasureOrdered' ? 1 : 0);
  const parts = event.type === 'ErasureOrdered' ? event.data.parts : before.parts;
  const isOrdered = event.type === 'BankErased' || before.state === 'ordered' || stored >= parts;
  const state = event.type === 'ErasureCompleted' ? 'completed' : isOrdered ? 'ordered' : 'partial';
  rows.put(erasuresTable, { bank, erasure_id: erasureId, state, parts_stored: stored, parts, seq });
}

function close(row: SpanRecord, { seq, systemTime }: Place, rows: RowsInHand): void {
  rows.put(spansTable, { ...row, seq_to: seq, system_to: systemTime });
}

function intervalOf(data: VersionData, recordedAt: string): Interval {
  return {
    from: validFromOf(data, recordedAt),
    to: data.validTo === undefined ? Infinity : Date.parse(data.validTo),
  };
}

function toValidSpan(row: SpanRecord): ValidSpan {
  return { version: row.version, from: row.valid_from, to: row.valid_to ?? Infinity };
}

function provenance({ envelope }: ProjectedEvent) {
  return {
    stream: envelope.stream,
    event_id: envelope.id,
    type: envelope.type,
    schema: envelope.schema,
    recorded_at: envelope.recordedAt,
    subjects: envelope.subjects?.length ? JSON.stringify(envelope.subjects) : null,
    principal: envelope.principal,
    agent: envelope.agent ?? null,
    tool: envelope.tool ?? null,
    box: envelope.box ? boxText(envelope.box) : null,
  };
}

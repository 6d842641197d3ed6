import type { VersionData } from '#events/version-fields.js';
import { validFromOf } from '#memory/fold-memory.js';
import type { ValidSpan } from '#memory/memory-state.js';
import { spanDifference } from '#memory/spans.js';
import { assign } from '#memory/valid-time.js';
import type { RowOf } from '#views/table.js';
import {
  bankEventsTable,
  changesTable,
  momentsTable,
  spansTable,
  versionSubjectsTable,
  versionsShape,
  versionsTable,
  versionTagsTable,
} from '#views/tables/versions.js';
import type { Place, ProjectedEvent, Projection, RowsInHand } from './projection.js';

type SpanRecord = RowOf<typeof spansTable>;
type Status = 'current' | 'retracted';

/** Every version with both time axes, and everything else that happened to a memory. */
export const versions: Projection = {
  ...versionsShape,
  needs: ({ envelope, event }, ask) => {
    if (!('memoryId' in event.data) || event.type === 'MemoryRecorded') return;
    ask(spansTable, envelope.bank, event.data.memoryId);
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
      case 'MemoryForgotten':
      case 'MemoryRestored': {
        const { memoryId } = event.data;
        rows.add(changesTable, { bank, memory_id: memoryId, seq: place.seq, ...provenance(projected) });
        return turnSpans(event.type === 'MemoryForgotten' ? 'retracted' : 'current', bank, memoryId, place, rows);
      }
      case 'BankCreated':
        return rows.add(bankEventsTable, { bank, seq: place.seq, ...provenance(projected) });
    }
  },
};

function addVersion(data: VersionData, projected: ProjectedEvent, place: Place, rows: RowsInHand): void {
  const { envelope, tagHashes } = projected;
  const { bank, recordedAt } = envelope;
  const { doc, seq } = place;
  const { box, ...origin } = provenance(projected);
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
    ...origin,
    box: box ?? '',
  });
  for (const tag_hash of new Set(tagHashes)) rows.add(versionTagsTable, { bank, tag_hash, doc });
  for (const subject_hash of new Set(envelope.subjects)) rows.add(versionSubjectsTable, { bank, subject_hash, doc });
}

/** What is not cut keeps its rectangle; what a retraction closed stays closed: a write after it starts the timeline anew. */
function assignSpan(data: VersionData, { envelope }: ProjectedEvent, place: Place, rows: RowsInHand): void {
  const { bank } = envelope;
  const open = rows.of(spansTable, bank, data.memoryId);
  const retracted = open.filter(({ status }) => status === 'retracted');
  const current = open.filter(({ status }) => status === 'current').map(toValidSpan);
  const next: ValidSpan = {
    version: data.version,
    from: validFromOf(data, envelope.recordedAt),
    to: data.validTo === undefined ? Infinity : Date.parse(data.validTo),
  };
  const { closed, opened } = spanDifference(current, assign(current, next));
  const ended = [...retracted, ...open.filter((row) => closed.some((span) => span.from === row.valid_from))];
  for (const row of new Set(ended)) close(row, place, rows);
  for (const { version, from, to } of opened) {
    const doc = version === data.version ? place.doc : open.find((row) => row.version === version)!.doc;
    rows.put(spansTable, {
      ...unknownEnd(place),
      bank,
      memory_id: data.memoryId,
      valid_from: from,
      valid_to: to === Infinity ? null : to,
      doc,
      version,
      status: 'current',
    });
  }
}

function turnSpans(status: Status, bank: string, memoryId: string, place: Place, rows: RowsInHand): void {
  for (const row of [...rows.of(spansTable, bank, memoryId)]) {
    if (row.status === status) continue;
    close(row, place, rows);
    rows.put(spansTable, { ...row, ...unknownEnd(place), status });
  }
}

function close(row: SpanRecord, { seq, systemTime }: Place, rows: RowsInHand): void {
  rows.put(spansTable, { ...row, seq_to: seq, system_to: systemTime });
}

function unknownEnd({ seq, systemTime }: Place) {
  return { seq_from: seq, system_from: systemTime, seq_to: null, system_to: null };
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
    box: envelope.box ? JSON.stringify(envelope.box) : null,
  };
}

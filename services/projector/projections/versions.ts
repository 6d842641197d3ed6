import type { SealedBox } from '#events/sealed-box.js';
import type { VersionData } from '#events/version-fields.js';
import { validFromOf } from '#memory/fold-memory.js';
import type { ValidSpan } from '#memory/memory-state.js';
import { spanDifference } from '#memory/spans.js';
import { assign } from '#memory/valid-time.js';
import type { Interval, RowOf } from '#views/table.js';
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
    const { bank } = envelope;
    switch (event.type) {
      case 'MemoryRevised': {
        // What was retracted is closed for good; of what holds only what the version cuts: a slot may have thousands.
        const { memoryId } = event.data;
        ask(spansTable, [bank, memoryId, 'retracted']);
        return ask(spansTable, [bank, memoryId, 'current'], intervalOf(event.data, envelope.recordedAt));
      }
      case 'MemoryForgotten':
        return ask(spansTable, [bank, event.data.memoryId, 'current']);
      case 'MemoryRestored':
        return ask(spansTable, [bank, event.data.memoryId, 'retracted']);
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
  const { memoryId, version } = data;
  const interval = intervalOf(data, envelope.recordedAt);
  for (const row of rows.of(spansTable, bank, memoryId, 'retracted')) close(row, place, rows);
  const current = rows.of(spansTable, bank, memoryId, 'current');
  const before = current.map(toValidSpan);
  const { closed, opened } = spanDifference(before, assign(before, { version, ...interval }));
  if (closed.length) {
    const ended = new Set(closed.map(({ from }) => from));
    for (const row of current) if (ended.has(row.valid_from)) close(row, place, rows);
  }
  for (const { version: shown, from, to } of opened)
    rows.put(spansTable, {
      bank,
      memory_id: memoryId,
      seq_from: place.seq,
      valid_from: from,
      valid_to: to === Infinity ? null : to,
      seq_to: null,
      doc: shown === version ? place.doc : current.find((row) => row.version === shown)!.doc,
      version: shown,
      status: 'current',
      system_from: place.systemTime,
      system_to: null,
    });
}

function turnSpans(status: Status, bank: string, memoryId: string, place: Place, rows: RowsInHand): void {
  const { seq, systemTime } = place;
  for (const row of rows.of(spansTable, bank, memoryId, status === 'current' ? 'retracted' : 'current')) {
    close(row, place, rows);
    rows.put(spansTable, { ...row, status, seq_from: seq, system_from: systemTime, seq_to: null, system_to: null });
  }
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

/** Written in one order, so that the row does not depend on how the envelope was read. */
function boxText({ f, a, k, n, c }: SealedBox): string {
  return JSON.stringify({ f, a, k, n, c });
}

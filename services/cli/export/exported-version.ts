import type { WriteItem } from '#contract/write.js';
import type { Envelope } from '#events/envelope.js';
import type { MemoryRecorded } from '#events/memory-recorded.js';
import type { MemoryRevised } from '#events/memory-revised.js';
import type { Aside, SourceEvent } from '#ingest/formats/imported.js';

/** A line that `import --format jsonl` reads: the fields of memory_write and an id. */
export type ExportedVersion = WriteItem & {
  readonly id: string;
  /** When this ledger recorded it: an import keeps it in the metadata. */
  readonly source_recorded_at: string;
  /** By which the same bank recognises it. */
  readonly source_event: SourceEvent;
};

/** A memory that is not served: retracted, unless `as` says how else. */
export interface ExportedForget {
  readonly forget: {
    readonly id: string;
    readonly reason: string;
    readonly as?: Exclude<Aside, 'retracted'>;
    readonly source_event: SourceEvent;
  };
}

/** A version as it would be written again. Fields that were not given stay away, but for valid time, which must not move. */
export function exportedVersion(
  { data, content }: MemoryRecorded | MemoryRevised,
  envelope: Envelope,
  now: number,
): ExportedVersion {
  const line: { [K in keyof ExportedVersion]: ExportedVersion[K] | undefined } = {
    id: exportedId(data.memoryId, content),
    content: JSON.parse(content.content) as WriteItem['content'],
    kind: data.kind,
    key: content.key,
    session_id: envelope.session,
    task_id: envelope.task,
    step: envelope.step,
    action: content.action,
    occurred_at: data.occurredAt,
    valid_from: data.validFrom ?? data.occurredAt ?? envelope.recordedAt,
    valid_to: data.validTo,
    ttl: data.expiresAt && secondsLeft(data.expiresAt, now),
    origin: data.origin,
    importance: data.importance,
    confidence: data.confidence,
    subjects: content.subjects,
    tags: content.tags,
    metadata: content.metadata === undefined ? undefined : (JSON.parse(content.metadata) as Record<string, unknown>),
    derived_from: data.derivedFrom,
    source_recorded_at: envelope.recordedAt,
    source_event: { memory_id: data.memoryId, event_id: envelope.id },
  };
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined)) as ExportedVersion;
}

/** An imported record keeps its source's id, so that importing an export of its own bank makes no second memory of it. */
function exportedId(memoryId: string, content: MemoryRecorded['content']): string {
  return content.externalSource === 'jsonl' && content.externalId !== undefined ? content.externalId : memoryId;
}

/** What has expired already expires at once. */
function secondsLeft(expiresAt: string, now: number): number {
  return Math.max((Date.parse(expiresAt) - now) / 1000, 0.001);
}

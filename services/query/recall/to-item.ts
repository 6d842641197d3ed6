import { isoTime } from '#contract/iso-time.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { VersionContent } from '#events/version-fields.js';
import type { VersionRow } from '#views/rows.js';
import { type Columns, openSeq } from '../bank-index/columns.js';
import { isReplacedWithin } from '../bank-index/held-last.js';
import { defaultConfidence, defaultImportance, trustByOrigin } from '../bank-index/unsaid.js';
import { standing, type Visibility } from '../bank-index/visibility.js';
import { contentOf, metadataOf } from './open-version.js';

/** A version and how it stands at a point, as people and programs see it. */
export function toItem(row: VersionRow, content: VersionContent, columns: Columns, at: Visibility): MemoryItem {
  return {
    id: row.memoryId,
    version: row.version,
    kind: row.kind,
    content: contentOf(content),
    status: statusAt(row.doc, columns, at),
    ...given('key', content.key),
    tags: content.tags ?? [],
    ...given('metadata', metadataOf(content)),
    ...given('subjects', content.subjects),
    source: {
      principal: row.principal,
      ...given('agent', row.agent),
      origin: row.origin,
      ...given('session_id', row.sessionId),
      ...given('task_id', row.taskId),
      ...given('step', row.step),
      ...given('tool', row.tool),
      ...given('external_id', content.externalId),
    },
    importance: row.importance ?? defaultImportance,
    confidence: row.confidence ?? defaultConfidence,
    trust: row.trust ?? trustByOrigin[row.origin],
    recorded_at: row.recordedAt,
    ...given('occurred_at', row.occurredAt),
    ...timesOf(row, columns, at),
    ...(row.derivedFrom.length ? { derived_from: [...row.derivedFrom] } : {}),
  };
}

/**
 * Status of a version at a point. Of a stretch of time it is that at its end, as of a moment: what another version of its memory replaced
 * within it is superseded, though it may be answered with.
 */
export function statusAt(doc: number, columns: Columns, at: Visibility): MemoryItem['status'] {
  return isReplacedWithin(columns, at, doc) ? 'superseded' : statusOf(at.standing[doc]);
}

/** Status of a version by its standing; one that is true only later counts as current, and its valid_from says when. */
export function statusOf(code: number | undefined): MemoryItem['status'] {
  switch (code) {
    case standing.retracted:
      return 'retracted';
    case standing.archived:
      return 'archived';
    case standing.quarantined:
      return 'quarantined';
    case standing.erased:
      return 'erased';
    case standing.expired:
      return 'expired';
    case standing.closed:
    case standing.ended:
      return 'superseded';
    default:
      return 'current';
  }
}

type Spanned = Pick<MemoryItem, 'valid_from' | 'valid_to' | 'system_from' | 'system_to'>;

/** Both times of the span that stands for the version, as they were known at the basis. */
export function timesOf(row: VersionRow, columns: Columns, { span, point }: Visibility): Spanned {
  const at = span[row.doc] ?? -1;
  if (at < 0) return { valid_from: row.validFrom, ...given('valid_to', row.validTo), system_from: row.recordedAt };
  const knownTo = columns.seqTo[at]!;
  return {
    valid_from: iso(columns.validFrom[at]!),
    ...(columns.validTo[at] === Infinity ? {} : { valid_to: iso(columns.validTo[at]!) }),
    system_from: iso(columns.systemFrom[at]!),
    ...(knownTo === openSeq || knownTo > point.seq ? {} : { system_to: iso(columns.systemTo[at]!) }),
  };
}

export function iso(millis: number): string {
  return isoTime(millis);
}

/** A member only where there is a value: answers name nothing that is not there. */
export function given<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]?: V });
}

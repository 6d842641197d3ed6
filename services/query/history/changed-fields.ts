import type { VersionContent } from '#events/version-fields.js';
import type { VersionRow } from '#views/rows.js';

export interface OpenedVersion {
  readonly row: VersionRow;
  readonly content: VersionContent;
}

/** What of a version a person calls a change, under the names of answers. */
function said({ row, content }: OpenedVersion): Record<string, unknown> {
  return {
    content: content.content,
    kind: row.kind,
    origin: row.origin,
    tags: [...(content.tags ?? [])].sort(),
    metadata: content.metadata,
    subjects: [...(content.subjects ?? [])].sort(),
    importance: row.importance,
    confidence: row.confidence,
    occurred_at: row.occurredAt,
    valid_from: row.validFrom,
    valid_to: row.validTo,
    expires_at: row.expiresAt,
    session_id: row.sessionId,
    task_id: row.taskId,
    derived_from: row.derivedFrom,
  };
}

/** Names of the fields in which a version differs from the one before it, in a fixed order. */
export function changedFields(before: OpenedVersion, after: OpenedVersion): string[] {
  const [was, is] = [said(before), said(after)];
  return Object.keys(is).filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]));
}

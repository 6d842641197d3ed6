import type { VersionContent } from '#events/version-fields.js';
import type { VersionRow } from '#views/rows.js';

export interface OpenedVersion {
  readonly row: VersionRow;
  readonly content: VersionContent;
}

/** What of a version a person calls a change, under the names of answers. */
const fields: readonly [name: string, of: (version: OpenedVersion) => unknown][] = [
  ['content', ({ content }) => content.content],
  ['kind', ({ row }) => row.kind],
  ['origin', ({ row }) => row.origin],
  ['tags', ({ content }) => inOrder(content.tags)],
  ['metadata', ({ content }) => content.metadata],
  ['subjects', ({ content }) => inOrder(content.subjects)],
  ['importance', ({ row }) => row.importance],
  ['confidence', ({ row }) => row.confidence],
  ['occurred_at', ({ row }) => row.occurredAt],
  ['valid_from', ({ row }) => row.validFrom],
  ['valid_to', ({ row }) => row.validTo],
  ['expires_at', ({ row }) => row.expiresAt],
  ['session_id', ({ row }) => row.sessionId],
  ['task_id', ({ row }) => row.taskId],
  ['derived_from', ({ row }) => (row.derivedFrom.length === 0 ? '' : JSON.stringify(row.derivedFrom))],
];

/** Names of the fields in which a version differs from the one before it, in a fixed order. */
export function changedFields(before: OpenedVersion, after: OpenedVersion): string[] {
  return fields.filter(([, of]) => of(before) !== of(after)).map(([name]) => name);
}

/** As text: each value compares by itself, and most versions have none. */
function inOrder(names: readonly string[] | undefined): string {
  return names === undefined || names.length === 0 ? '' : JSON.stringify([...names].sort());
}

import { hash } from 'node:crypto';
import type { MemoryKind, MemoryOrigin, VersionContent, VersionData } from '#events/version-fields.js';

/** A longer text is kept as its hash: a few thousand memories are held in hand, and one may have 64 KiB. In characters. */
const keptText = 1024;

/**
 * One version as the fold keeps it: enough to say whether a write would change anything. Its texts are prints: the text
 * itself, or the hash of a long one.
 */
export interface VersionState {
  readonly version: number;
  readonly kind: MemoryKind;
  readonly origin: MemoryOrigin;
  readonly content: string;
  readonly metadata?: string;
  readonly tags?: string;
  readonly subjects?: string;
  readonly derivedFrom?: string;
  readonly importance?: number;
  readonly confidence?: number;
  readonly occurredAt?: string;
  /** Milliseconds. Resolved: what was given, else when it occurred, else when it was recorded. */
  readonly validFrom: number;
  /** Milliseconds; Infinity when open, as is `expiresAt`. */
  readonly validTo: number;
  readonly expiresAt: number;
}

/** What a write asks to be said. A field that is not given asks for nothing: what the version says of it stays. */
export interface Said {
  /** JSON text */
  readonly content: string;
  /** JSON text */
  readonly metadata?: string;
  readonly kind?: MemoryKind;
  readonly origin?: MemoryOrigin;
  readonly tags?: readonly string[];
  readonly subjects?: readonly string[];
  readonly derivedFrom?: readonly string[];
  readonly importance?: number;
  readonly confidence?: number;
  readonly occurredAt?: string;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly expiresAt?: string;
}

/** @param validFrom resolved, in milliseconds */
export function versionState(data: VersionData, content: VersionContent, validFrom: number): VersionState {
  return {
    version: data.version,
    kind: data.kind,
    origin: data.origin,
    content: textPrint(content.content),
    metadata: content.metadata === undefined ? undefined : textPrint(content.metadata),
    tags: namesPrint(content.tags),
    subjects: namesPrint(content.subjects),
    derivedFrom: namesPrint(data.derivedFrom),
    importance: data.importance,
    confidence: data.confidence,
    occurredAt: data.occurredAt,
    validFrom,
    validTo: moment(data.validTo),
    expiresAt: moment(data.expiresAt),
  };
}

/** Whether a version says all that a write gives: then writing it would add nothing. */
export function saysAlready(version: VersionState, said: Said): boolean {
  return (
    version.content === textPrint(said.content) &&
    (said.kind === undefined || said.kind === version.kind) &&
    (said.origin === undefined || said.origin === version.origin) &&
    (said.metadata === undefined || textPrint(said.metadata) === (version.metadata ?? '{}')) &&
    (said.tags === undefined || namesPrint(said.tags) === version.tags) &&
    (said.subjects === undefined || namesPrint(said.subjects) === version.subjects) &&
    (said.derivedFrom === undefined || namesPrint(said.derivedFrom) === version.derivedFrom) &&
    (said.importance === undefined || said.importance === version.importance) &&
    (said.confidence === undefined || said.confidence === version.confidence) &&
    (said.occurredAt === undefined || said.occurredAt === version.occurredAt) &&
    (said.validFrom === undefined || moment(said.validFrom) === version.validFrom) &&
    (said.validTo === undefined || moment(said.validTo) === version.validTo) &&
    (said.expiresAt === undefined || moment(said.expiresAt) === version.expiresAt)
  );
}

/** Milliseconds; what is not given is never. */
function moment(instant: string | undefined): number {
  return instant === undefined ? Infinity : Date.parse(instant);
}

// JSON text begins with a quote, a bracket or a brace: no text is taken for another's hash.
function textPrint(text: string): string {
  return text.length <= keptText ? text : hash('sha256', text, 'base64url');
}

/** Of a set of names: neither order nor repetition says anything; none at all is as if nothing was said. */
function namesPrint(names: readonly string[] | undefined): string | undefined {
  if (!names?.length) return undefined;
  return textPrint(JSON.stringify(names.length === 1 ? names : [...new Set(names)].sort()));
}

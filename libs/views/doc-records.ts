import type { MemoryKind, MemoryOrigin } from '#events/version-fields.js';
import { termDigits } from './purge.js';
import type { DocRow } from './rows.js';

/** Columns of `docs` that a row is made from, in the order in which `docFromCells` takes them. */
export const docColumns =
  'doc, memory_id, version, length, expires_at, kind, origin, session_id, happened_at, speaker, flags, importance, confidence, trust, ' +
  'entities, key_length';

export type DocCells = readonly [
  doc: number,
  memoryId: string,
  version: number,
  length: number,
  expiresAt: number | null,
  kind: MemoryKind,
  origin: MemoryOrigin,
  sessionId: string | null,
  at: number,
  speaker: Uint8Array | null,
  flags: number,
  importance: number | null,
  confidence: number | null,
  trust: number | null,
  entities: Uint8Array | null,
  keyLength: number,
];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A row of `docs`, as every adapter reads it. Text is taken as it stands. */
export function docFromCells(cells: DocCells): Mutable<DocRow> {
  const row: Mutable<DocRow> = {
    doc: cells[0],
    memoryId: cells[1],
    version: cells[2],
    length: cells[3],
    expiresAt: cells[4] ?? Infinity,
    kind: cells[5],
    origin: cells[6],
    at: cells[8],
    flags: cells[10],
    entities: cells[14] === null ? none : hashesIn(cells[14]),
    keyLength: cells[15],
  };
  if (cells[7] !== null) row.sessionId = cells[7];
  if (cells[9] !== null) row.speaker = hexOf(cells[9]);
  if (cells[11] !== null) row.importance = cells[11];
  if (cells[12] !== null) row.confidence = cells[12];
  if (cells[13] !== null) row.trust = cells[13];
  return row;
}

const none: readonly string[] = [];

/** Hashes of terms that stand one behind the other. */
export function hashesIn(bytes: Uint8Array): string[] {
  const hex = hexOf(bytes);
  const hashes: string[] = [];
  for (let at = 0; at < hex.length; at += termDigits) hashes.push(hex.slice(at, at + termDigits));
  return hashes;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

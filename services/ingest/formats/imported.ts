import type { ImportedFrom, WriteItem } from '#contract/write.js';
import type { Line } from './read-lines.js';

/** Why a memory is not served. Rejected: a reviewer took away what was held back, and only a reviewer brings it back. */
export const asides = ['retracted', 'archived', 'quarantined', 'rejected'] as const;
export type Aside = (typeof asides)[number];

/** The event that a line of an export came from. */
export interface SourceEvent {
  readonly memory_id: string;
  readonly event_id: string;
}

export interface Forget {
  readonly id: string;
  readonly reason: string;
  /** Retracted where it is left out. */
  readonly as?: Aside;
}

/** What one record of a file comes to; `line` is where it stands, from 1. */
export type Imported = { readonly line: number } & (
  | {
      readonly item: WriteItem;
      readonly from: ImportedFrom;
      /** Readable name of the bank that it belongs to, where the file says so. */
      readonly bank?: string;
      /** What could not be taken over as it is. */
      readonly note?: string;
      readonly sourceEvent?: SourceEvent;
    }
  | { readonly forget: Forget; readonly bank?: string; readonly sourceEvent?: SourceEvent }
  | { readonly problem: string }
);

export interface FormatOptions {
  /** The field of a record that names its bank. */
  readonly bankFrom?: string;
  /** Tells ids of this source from equal ones of others; by default the format's own name and what else the file says. */
  readonly source?: string;
}

/** Reads a file's lines as records, one after the other. What is broken becomes a problem of its line. */
export type ImportFormat = (lines: AsyncIterable<Line>, options: FormatOptions) => AsyncIterable<Imported>;

export type JsonObject = Readonly<Record<string, unknown>>;

/** The record of a line, or why there is none. */
export function recordOf(line: Line): JsonObject | string {
  if ('problem' in line) return line.problem;
  try {
    const value: unknown = JSON.parse(line.text);
    return isObject(value) ? value : `The line is JSON, but no object. ${expected}`;
  } catch (error) {
    return `The line is no JSON: ${whereIn((error as Error).message)}. ${expected}`;
  }
}

const expected = 'Each line is one JSON object: {"name": "value", …}.';

/** What the parser says, with characters counted from 1 as editors do. */
function whereIn(message: string): string {
  return message.replace(
    / in JSON at position (\d+)(?: \(.*\))?$/,
    (_, position: string) => ` at character ${Number(position) + 1}`,
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The bank that a record names; a problem when it should and does not. */
export function bankOf(record: JsonObject, field: string | undefined): { bank?: string } | { problem: string } {
  if (field === undefined) return {};
  const value = record[field];
  if ((typeof value === 'string' && value.trim() !== '') || typeof value === 'number') return { bank: String(value) };
  return { problem: `The record has no ${field}, which should name its bank.` };
}

/** What an export says of where a line came from; undefined where it says nothing, or what no export says. */
export function sourceEventOf(given: unknown): { sourceEvent?: SourceEvent } {
  if (!isObject(given)) return {};
  const { memory_id, event_id } = given;
  return isUuid(memory_id) && isUuid(event_id) ? { sourceEvent: { memory_id, event_id } } : {};
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

/** An id as the source gave it. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

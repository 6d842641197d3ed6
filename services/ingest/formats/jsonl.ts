import { createHash } from 'node:crypto';
import { type WriteItem, writeItem } from '#contract/write.js';
import {
  asides,
  bankOf,
  type FormatOptions,
  type Imported,
  idOf,
  isObject,
  type JsonObject,
  recordOf,
  sourceEventOf,
} from './imported.js';
import type { Line } from './read-lines.js';

/**
 * Memories with the fields of memory_write, one JSON object a line, each with an `id` of its source; and lines
 * `{"forget": {"id", "reason", "as"}}`, which take out of what is served what a record before them in the file was imported as, or a memory
 * by its id: retracted, unless `as` says archived, quarantined or rejected. `source_event` {memory_id, event_id} is what an export says of where
 * a line came from: a bank recognises its own by it.
 */
export async function* jsonl(lines: AsyncIterable<Line>, options: FormatOptions): AsyncGenerator<Imported> {
  for await (const each of lines) {
    const record = recordOf(each);
    if (typeof record === 'string') yield { line: each.line, problem: record };
    else if ('forget' in record) yield { line: each.line, ...forgetOf(record, options) };
    else yield { line: each.line, ...memoryOf(record, options) };
  }
}

function forgetOf(record: JsonObject, { bankFrom }: FormatOptions) {
  const { forget } = record;
  const id = isObject(forget) ? idOf(forget.id) : undefined;
  const reason = isObject(forget) && typeof forget.reason === 'string' ? forget.reason : 'imported';
  if (id === undefined) return { problem: 'forget has no id. Expected {"forget": {"id": …, "reason": …}}.' };
  const as = isObject(forget) ? forget.as : undefined;
  const known = asides.find((each) => each === as);
  if (as !== undefined && !known)
    return { problem: `forget.as is ${JSON.stringify(as)}. Accepted: ${asides.join(', ')}; retracted by default.` };
  const bank = bankOf(record, bankFrom);
  if ('problem' in bank) return bank;
  const source = isObject(forget) ? sourceEventOf(forget.source_event) : {};
  return { forget: { id, reason, ...(known && { as: known }) }, ...source, ...bank };
}

function memoryOf(record: JsonObject, { bankFrom, source = 'jsonl' }: FormatOptions) {
  const bank = bankOf(record, bankFrom);
  if ('problem' in bank) return bank;
  const { id, source_recorded_at: recordedAt, source_event: event, ...given } = record;
  const fields = recordedAt === undefined ? given : withRecordedAt(given, recordedAt);
  // The field that names the bank is none of a memory's, unless it is one by its name.
  const { [bankFrom ?? '']: _bank, ...rest } = fields;
  const item = bankFrom === undefined || isField(bankFrom) ? fields : rest;
  const externalId = idOf(id) ?? createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  return { item: item as unknown as WriteItem, from: { source, id: externalId }, ...sourceEventOf(event), ...bank };
}

/** When another ledger recorded it, as its export says: kept in the metadata, since this ledger records by its own clock. The first one stays. */
function withRecordedAt(fields: JsonObject, recordedAt: unknown): JsonObject {
  const { metadata = {} } = fields;
  if (!isObject(metadata)) return fields;
  return { ...fields, metadata: { source_recorded_at: recordedAt, ...metadata } };
}

function isField(name: string): name is keyof WriteItem & string {
  return name in writeItem.shape;
}

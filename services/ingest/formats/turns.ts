import { writeLimits } from '#contract/write.js';
import { bankOf, type FormatOptions, type Imported, idOf, type JsonObject, recordOf } from './imported.js';
import { importedTime } from './imported-time.js';
import type { Line } from './read-lines.js';

/**
 * Turns of conversations and passages, one JSON object a line: `id`, `text`, and as far as known `session_id`, `timestamp`,
 * `speaker`, `conv_id`. Each becomes an episodic memory that happened at its timestamp; whatever else a record has is metadata.
 */
export async function* turns(lines: AsyncIterable<Line>, options: FormatOptions): AsyncGenerator<Imported> {
  for await (const each of lines) {
    const record = recordOf(each);
    yield typeof record === 'string'
      ? { line: each.line, problem: record }
      : { line: each.line, ...turnOf(record, options) };
  }
}

type Turn = Imported extends infer I ? (I extends unknown ? Omit<I, 'line'> : never) : never;

function turnOf(record: JsonObject, options: FormatOptions): Turn {
  const { id, text, session_id, timestamp, ...rest } = record;
  const externalId = idOf(id);
  if (externalId === undefined) return { problem: 'The record has no id.' };
  if (typeof text !== 'string' || text.trim() === '') return { problem: 'The record has no text.' };
  const bank = bankOf(record, options.bankFrom);
  if ('problem' in bank) return bank;
  const time = importedTime(timestamp);
  const metadata = metadataOf(rest);
  const notes = [time.note, metadata.note].filter((note) => note !== undefined);
  const session = idOf(session_id);
  const conversation = idOf(rest.conv_id);
  const speaker = typeof rest.speaker === 'string' && rest.speaker.trim() !== '' ? rest.speaker : undefined;
  return {
    item: {
      content: speaker === undefined ? text : `${speaker}: ${text}`,
      kind: 'episodic',
      origin: 'import',
      ...(session === undefined ? {} : { session_id: session }),
      ...(time.occurred === undefined ? {} : { occurred_at: time.occurred }),
      ...(metadata.kept === undefined ? {} : { metadata: metadata.kept }),
    },
    from: { source: options.source ?? ['turns', conversation].filter(Boolean).join(':'), id: externalId },
    ...bank,
    ...(notes.length ? { note: notes.join(' ') } : {}),
  };
}

/** Extras as they are; the longest are left out where all together are more than a memory takes. */
function metadataOf(extras: JsonObject): { kept?: Record<string, unknown>; note?: string } {
  const given = Object.entries(extras).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const bySize = given
    .map(([name, value]) => ({ name, value, bytes: Buffer.byteLength(JSON.stringify({ [name]: value }), 'utf8') }))
    .sort((one, other) => one.bytes - other.bytes);
  let bytes = 2;
  const fitting = bySize.filter((each) => {
    bytes += each.bytes;
    return bytes <= writeLimits.metadataBytes;
  });
  const left = bySize.slice(fitting.length).map(({ name }) => name);
  return {
    kept: fitting.length ? Object.fromEntries(fitting.map(({ name, value }) => [name, value])) : undefined,
    note: left.length ? `Too large for metadata, left out: ${left.join(', ')}.` : undefined,
  };
}

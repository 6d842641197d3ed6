import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { HindsightError } from '#contract/errors.js';
import { decodeEnvelope } from '#events/envelope.js';
import { eventHash } from '#events/hash.js';
import type { Ledger, StoredEvent } from './ledger.js';

/** What a file of events says of itself, once all of it was read. */
export interface BackupHead {
  readonly ledger: string;
  /** ISO, UTC. */
  readonly made: string;
}

export interface Backed {
  readonly events: number;
  readonly bytes: number;
}

const format = 'hindsight-ledger events 1';
const newline = Buffer.from('\n');
const portion = 256 * 1024;

/**
 * All events up to the ledger's head, as lines: a head, each event's stored bytes (canonical JSON holds no line break), and a last line
 * with their number and the SHA-256 of all before it. Streamed; the ledger may be written to meanwhile.
 * @throws HindsightError ledger_corrupt at the first event whose bytes do not have their hash: a backup of damage would replace good ones
 */
export async function* backupLines(
  ledger: Ledger,
  made: string,
  options: { readonly onProgress?: (events: number) => void; readonly signal?: AbortSignal } = {},
): AsyncGenerator<Uint8Array, Backed> {
  const sum = createHash('sha256');
  const head = await ledger.head();
  let events = 0;
  let bytes = 0;
  let waiting: Uint8Array[] = [Buffer.from(`${JSON.stringify({ format, ledger: ledger.id, made })}\n`)];
  let size = 0;
  const flush = () => {
    const part = Buffer.concat(waiting);
    waiting = [];
    size = 0;
    sum.update(part);
    return part;
  };
  if (head !== undefined)
    for await (const event of ledger.readAll()) {
      if (event.position > head) break;
      if (Buffer.compare(eventHash(event.bytes), event.hash) !== 0) throw wrong(event);
      waiting.push(event.bytes, newline);
      size += event.bytes.byteLength + 1;
      bytes += event.bytes.byteLength;
      events += 1;
      if (size < portion) continue;
      yield flush();
      options.onProgress?.(events);
      options.signal?.throwIfAborted();
    }
  yield flush();
  yield Buffer.from(`${lastLine(events, sum.digest('hex'))}\n`);
  return { events, bytes };
}

/**
 * Reads the whole of a file of events, and tells whether it is as it was written.
 * @throws HindsightError invalid_input when it is something else · ledger_corrupt when it is cut or changed · newer_format
 */
export async function checkBackup(path: string): Promise<BackupHead & Backed> {
  const sum = createHash('sha256');
  let head: BackupHead | undefined;
  let held: Buffer | undefined;
  let events = -1;
  let bytes = 0;
  for await (const line of linesOf(path)) {
    head ??= headOf(line, path);
    if (held) {
      sum.update(held).update(newline);
      bytes += events < 0 ? 0 : held.byteLength;
      events += 1;
    }
    held = line;
  }
  if (!head || held?.toString('latin1') !== lastLine(events, sum.digest('hex')))
    throw new HindsightError(
      'ledger_corrupt',
      `${path} is cut, or was changed: its checksum is not that of its lines.`,
      {
        file: path,
      },
    );
  return { ...head, events, bytes };
}

/** The events of a file that `checkBackup` has found right, in the ledger's order. */
export async function* backedEvents(path: string): AsyncGenerator<Omit<StoredEvent, 'position'>> {
  let held: Buffer | undefined;
  let first = true;
  for await (const line of linesOf(path)) {
    // The first line is the head, the last one the checksum.
    if (held && !first) yield eventOf(held);
    if (held) first = false;
    held = line;
  }
}

function lastLine(events: number, sha256: string): string {
  return JSON.stringify({ events, sha256 });
}

function eventOf(bytes: Buffer): Omit<StoredEvent, 'position'> {
  const { id, stream, revision, type } = decodeEnvelope(bytes);
  return { id, stream, revision, type, bytes, hash: eventHash(bytes) };
}

function headOf(line: Buffer, file: string): BackupHead {
  const head = json(line);
  if (head?.format === format) return { ledger: String(head.ledger), made: String(head.made) };
  if (/^hindsight-ledger events \d+$/.test(String(head?.format)))
    throw new HindsightError('newer_format', `${file} was written by a newer release: ${head?.format}.`, { file });
  throw new HindsightError('invalid_input', `${file} is no backup: it does not begin with "${format}".`, { file });
}

function json(line: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line.toString('utf8')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: portion }) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, at)]);
        rest = [];
        from = at + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
    throw new HindsightError('file_not_found', `There is no file ${path}.`, { file: path }, { cause: error });
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

function wrong({ id, position }: StoredEvent): HindsightError {
  return new HindsightError(
    'ledger_corrupt',
    `Event ${id} at position ${position} of the ledger is wrong: its bytes do not have the hash that is stored with them. It is not backed up as it is.`,
    { position, eventId: id },
  );
}

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface LoggedEvent extends ProposedEvent {
  readonly stream: string;
  readonly revision: number;
  /** Where it stands in the file, so sparse, as the real one's. Commit and prepare are the same for what is written at once. */
  readonly position: bigint;
  /** 100 ns since 1970 */
  readonly created: bigint;
}

export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

/** `current` is -1 for a stream that is not there. */
export type Outcome =
  | { readonly wrong: false; readonly last: LoggedEvent | undefined; readonly current: number }
  | { readonly wrong: true; readonly current: number };

export interface EventLog {
  /** What is on disk, in order. */
  readonly events: readonly LoggedEvent[];
  stream(name: string): readonly LoggedEvent[] | undefined;
  /** Resolves when it is on disk. */
  append(stream: string, events: readonly ProposedEvent[], expected: Expected): Promise<Outcome>;
  /** Calls after each write to disk; gives back what ends it. */
  onWritten(listener: () => void): () => void;
  close(): Promise<void>;
}

interface Request {
  readonly stream: string;
  readonly events: readonly ProposedEvent[];
  readonly expected: Expected;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

/** So many ids are remembered for appends that expect anything; the real server's cache is bounded too. */
const rememberedIds = 1000;

const readAtOnce = 4 * 1024 * 1024;
const newline = 0x0a;

/**
 * The test server's events in one file, one append a line: what a kill cut short is a line without an end. Appends that wait at the
 * same time share one fsync.
 */
export async function openEventLog(folder: string): Promise<EventLog> {
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, 'events.jsonl'), 'a+');
  const events: LoggedEvent[] = [];
  const readable = new Map<string, LoggedEvent[]>();
  // What has been decided, of which the last part is on its way to the disk: appends are judged by it, readers do not see it.
  const decided = new Map<string, LoggedEvent[]>();
  const recent = new Map<string, LoggedEvent>();
  const listeners = new Set<() => void>();
  let waiting: Request[] = [];
  let writing: Promise<void> | undefined;

  function decide(written: readonly LoggedEvent[]): void {
    for (const event of written) {
      add(decided, event);
      recent.set(event.id, event);
      if (recent.size > rememberedIds) recent.delete(recent.keys().next().value!);
    }
  }

  function publish(written: readonly LoggedEvent[]): void {
    for (const event of written) {
      events.push(event);
      add(readable, event);
    }
  }

  let size = 0;
  for await (const line of completeLines(file)) {
    const written = fromLine(line, size);
    decide(written);
    publish(written);
    size += Buffer.byteLength(line);
  }

  /** Ids are compared only when the expected revision lies behind; at the stream's own revision the same event is written again. */
  function judge({ stream, events: proposed, expected }: Request): Outcome | 'write' {
    const there = decided.get(stream) ?? [];
    const current = there.length - 1;
    const isRepeat = (from: number) =>
      from >= 0 && proposed.length > 0 && proposed.every((event, index) => there[from + index]?.id === event.id);
    const repeat = (from: number): Outcome => ({ wrong: false, last: there[from + proposed.length - 1], current });
    if (expected === 'any' || (expected === 'stream_exists' && current >= 0)) {
      const first = recent.get(proposed[0]?.id ?? '');
      return first?.stream === stream && isRepeat(first.revision) ? repeat(first.revision) : 'write';
    }
    if (expected === 'stream_exists') return { wrong: true, current };
    const revision = expected === 'no_stream' ? -1 : expected;
    if (revision === current) return 'write';
    return revision < current && isRepeat(revision + 1) ? repeat(revision + 1) : { wrong: true, current };
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const requests = waiting;
      waiting = [];
      let text = '';
      let end = size;
      const written: LoggedEvent[] = [];
      const settled: (() => void)[] = [];
      for (const request of requests) {
        const verdict = judge(request);
        if (verdict !== 'write') {
          settled.push(() => request.settle(verdict));
          continue;
        }
        const line = toLine(request, decided.get(request.stream)?.length ?? 0);
        const logged = fromLine(line, end);
        end += Buffer.byteLength(line);
        text += line;
        decide(logged);
        written.push(...logged);
        const current = (decided.get(request.stream)?.length ?? 0) - 1;
        settled.push(() => request.settle({ wrong: false, last: logged.at(-1), current }));
      }
      try {
        await file.appendFile(text);
        await file.datasync();
      } catch (error) {
        for (const request of requests) request.fail(error);
        continue;
      }
      size = end;
      publish(written);
      for (const settle of settled) settle();
      for (const listener of listeners) listener();
    }
    writing = undefined;
  }

  return {
    events,
    stream: (name) => readable.get(name),
    append: (stream, proposed, expected) =>
      new Promise((settle, fail) => {
        waiting.push({ stream, events: proposed, expected, settle, fail });
        writing ??= writeWaiting();
      }),
    onWritten(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

function add(streams: Map<string, LoggedEvent[]>, event: LoggedEvent): void {
  const stream = streams.get(event.stream);
  if (stream) stream.push(event);
  else streams.set(event.stream, [event]);
}

/** The lines of the file with their ends, which may be more than one string holds; what a kill left of a last one is cut off. */
async function* completeLines(file: FileHandle): AsyncGenerator<string> {
  const chunk = Buffer.alloc(readAtOnce);
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, readAtOnce, read);
    if (bytesRead === 0) break;
    read += bytesRead;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      yield bytes.toString('utf8', from, end + 1);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) await file.truncate(read - rest.length);
}

interface Line {
  readonly stream: string;
  readonly revision: number;
  readonly created: number;
  readonly events: readonly [id: string, type: string, contentType: string, data: string, metadata: string][];
}

function toLine({ stream, events }: Request, revision: number): string {
  const line: Line = {
    stream,
    revision,
    created: Date.now(),
    events: events.map((event) => [
      event.id,
      event.type,
      event.contentType,
      Buffer.from(event.data).toString('base64'),
      Buffer.from(event.metadata).toString('base64'),
    ]),
  };
  return `${JSON.stringify(line)}\n`;
}

/** An event takes more than one byte of its line, so the line's place and the event's number in it make a place of its own. */
function fromLine(text: string, at: number): LoggedEvent[] {
  const line = JSON.parse(text) as Line;
  return line.events.map(([id, type, contentType, data, metadata], index) => ({
    stream: line.stream,
    revision: line.revision + index,
    position: BigInt(at + index),
    created: BigInt(line.created) * 10_000n,
    id,
    type,
    contentType,
    data: Buffer.from(data, 'base64'),
    metadata: Buffer.from(metadata, 'base64'),
  }));
}

import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import { type ErrorCode, HindsightError, isHindsightError } from '#contract/errors.js';
import { type WriteOutcome, writeLimits } from '#contract/write.js';
import type { FormatOptions, Imported, ImportFormat } from './imported.js';
import { jsonl } from './jsonl.js';
import type { KnownBy } from './own-records.js';
import { readLines } from './read-lines.js';
import { serverMemory } from './server-memory.js';
import { setAside } from './set-aside.js';
import { turns } from './turns.js';

export const importFormats = { turns, jsonl, 'server-memory': serverMemory } as const satisfies Record<
  string,
  ImportFormat
>;
export type ImportFormatName = keyof typeof importFormats;

/** A batch is written once it has so many characters of content, or 500 memories. */
const batchCharacters = 4 * 1024 * 1024;

/** Of problems and notes this many are told; all are counted. */
const mostTold = 20;

/** What no later line can do better at: the import stops. */
const stopping: ReadonlySet<string> = new Set<ErrorCode>([
  'disk_full',
  'not_writable',
  'ledger_read_only',
  'ledger_corrupt',
  'ledger_busy',
  'key_not_found',
]);

export interface AtLine {
  readonly line: number;
  readonly message: string;
}

export interface ImportSummary {
  /** Records, the broken ones included. */
  readonly read: number;
  readonly stored: number;
  readonly unchanged: number;
  /** Taken out of what is served: retracted, archived or held back. */
  readonly forgotten: number;
  /** Records that were not imported; the first ones told. */
  readonly failed: number;
  readonly problems: readonly AtLine[];
  /** Records that were imported, but not wholly as they are; the first ones told. */
  readonly noted: number;
  readonly notes: readonly AtLine[];
  /** Readable names of the banks that the file itself named. */
  readonly banks: readonly string[];
  /** The signal ended it: what was read is stored, and importing the file again goes on. */
  readonly stopped: boolean;
}

export interface ImportOptions extends FormatOptions {
  /** Values that were erased may come back: each event says so. */
  readonly allowErased?: boolean | undefined;
  /** By which a bank recognises what it exported itself; without it, only by the ids of records. */
  readonly knownBy?: KnownBy;
  readonly signal?: AbortSignal;
  /** Called after each batch. */
  readonly onProgress?: (sofar: ImportSummary) => void;
}

type Record_ = Extract<Imported, { item: unknown }>;

/**
 * Imports a file into the caller's bank, or into the banks that its records name. A broken line is told and the rest goes
 * on; importing a file again changes nothing but what has changed in it. Recorded times are the ledger's own.
 * @throws HindsightError what would fail for every later line too (disk_full …), with the line that it came to in its details
 */
export async function importFile(
  chunks: AsyncIterable<Uint8Array | string>,
  format: ImportFormatName,
  commands: Pick<CommandPort, 'importItems' | 'forget' | 'review' | 'bankNamed'>,
  caller: Caller,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const { signal, onProgress, knownBy } = options;
  const tally = openTally();
  const importedAs = new Map<string, string>();
  const occurrenceOf = countOccurrences();
  let batch: Record_[] = [];
  let characters = 0;

  const callerOf = async (bank: string | undefined): Promise<Caller> =>
    bank === undefined ? caller : { ...caller, bank: await commands.bankNamed(bank) };

  async function writeBatch(): Promise<void> {
    const banks = new Map<string | undefined, Record_[]>();
    for (const record of batch) {
      const same = banks.get(record.bank);
      if (same) same.push(record);
      else banks.set(record.bank, [record]);
    }
    batch = [];
    characters = 0;
    await Promise.all([...banks].map(([bank, records]) => writeTo(bank, records)));
    onProgress?.(tally.summary(false));
  }

  async function writeTo(bank: string | undefined, records: readonly Record_[]): Promise<void> {
    let inBank: Caller;
    try {
      inBank = await callerOf(bank);
    } catch (error) {
      if (!isHindsightError(error, 'invalid_input')) throw error;
      for (const { line } of records) tally.problem(line, error.message);
      return;
    }
    const known = await Promise.all(records.map((record) => ownOf(record, inBank)));
    const others = records.filter((_, at) => known[at] !== 'event');
    const asked = records.flatMap((record, at) =>
      known[at] === 'event' ? [] : [known[at] === 'memory' ? revising(record) : record],
    );
    const output = asked.length > 0 ? await commands.importItems(asked, inBank) : { items: [] };
    const outcomes = new Map(others.map((record, at) => [record, output.items![at]!]));
    for (const record of records) {
      const outcome = outcomes.get(record) ?? unchanged(record);
      if (outcome.error && stopping.has(outcome.error.code)) throw stoppedAt(record.line, outcome.error);
      tally.outcome(record, outcome);
      // Only this format has lines that speak of those before them.
      if (format === 'jsonl' && outcome.memory_id) importedAs.set(nameOf(bank, record.from.id), outcome.memory_id);
    }
  }

  async function ownOf({ sourceEvent }: Pick<Record_, 'sourceEvent'>, { bank }: Caller) {
    return sourceEvent && knownBy ? knownBy(bank, sourceEvent) : 'nothing';
  }

  async function forget(record: Extract<Imported, { forget: unknown }>): Promise<void> {
    const { line, bank } = record;
    const { id, reason, as } = record.forget;
    try {
      if ((await ownOf(record, await callerOf(bank))) === 'event') return tally.forgot(false);
      const memory_id = importedAs.get(nameOf(bank, id)) ?? id;
      tally.forgot(await setAside(commands, { id: memory_id, reason, as }, await callerOf(bank)));
    } catch (error) {
      if (!isHindsightError(error)) throw error;
      if (stopping.has(error.code)) throw stoppedAt(line, error);
      const unknown = 'No record before it in the file has this id, and no memory either.';
      tally.problem(
        line,
        error.code === 'memory_not_found' ? `forget ${JSON.stringify(id)}: ${unknown}` : error.message,
      );
    }
  }

  for await (const each of importFormats[format](readLines(chunks), options)) {
    if (signal?.aborted) break;
    tally.read();
    if ('problem' in each) {
      tally.problem(each.line, each.problem);
    } else if ('forget' in each) {
      await writeBatch();
      await forget(each);
    } else {
      if (each.bank !== undefined) tally.bank(each.bank);
      batch.push({
        ...each,
        from: {
          ...each.from,
          occurrence: occurrenceOf(nameOf(each.bank, each.from.id)),
          ...(options.allowErased ? { allowErased: true } : {}),
        },
      });
      characters += sizeOf(each.item.content);
      if (batch.length >= writeLimits.items || characters >= batchCharacters) await writeBatch();
    }
  }
  await writeBatch();
  return tally.summary(signal?.aborted ?? false);
}

function openTally() {
  const counts = { read: 0, stored: 0, unchanged: 0, forgotten: 0, failed: 0, noted: 0 };
  const problems: AtLine[] = [];
  const notes: AtLine[] = [];
  const banks = new Set<string>();
  const problem = (line: number, message: string) => {
    counts.failed += 1;
    if (problems.length < mostTold) problems.push({ line, message });
  };
  return {
    problem,
    read: () => {
      counts.read += 1;
    },
    bank: (name: string) => banks.add(name),
    forgot: (now: boolean) => {
      counts[now ? 'forgotten' : 'unchanged'] += 1;
    },
    outcome(record: Record_, { status, error }: WriteOutcome) {
      if (error) return problem(record.line, saidOf(error));
      counts[status === 'unchanged' ? 'unchanged' : 'stored'] += 1;
      if (record.note === undefined) return;
      counts.noted += 1;
      if (notes.length < mostTold) notes.push({ line: record.line, message: record.note });
    },
    summary: (stopped: boolean): ImportSummary => ({
      ...counts,
      problems: problems.toSorted((one, other) => one.line - other.line),
      notes: notes.toSorted((one, other) => one.line - other.line),
      banks: [...banks],
      stopped,
    }),
  };
}

/** An error is told by its message; where the import itself can be asked for otherwise, by its code and how. */
function saidOf({ code, message }: NonNullable<WriteOutcome['error']>): string {
  if (code !== 'value_erased') return message;
  return `value_erased: ${message} If it is meant to come back, import with --allow-erased, which stays on record.`;
}

/** What was recorded here already, by this very event. */
function unchanged({ sourceEvent }: Record_): WriteOutcome {
  return { status: 'unchanged', memory_id: sourceEvent!.memory_id };
}

/** A version that this bank lacks, as after an older backup was restored: it belongs to the memory that is there. */
function revising(record: Record_): Record_ {
  return { ...record, item: { ...record.item, memory_id: record.sourceEvent!.memory_id } };
}

/** Most ids stand once in a file: only of the others the number is kept. */
function countOccurrences(): (name: string) => number {
  const seen = new Set<string>();
  const again = new Map<string, number>();
  return (name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return 1;
    }
    const occurrence = (again.get(name) ?? 1) + 1;
    again.set(name, occurrence);
    return occurrence;
  };
}

function stoppedAt(line: number, { code, message }: { code: string; message: string }): HindsightError {
  return new HindsightError(
    code as ErrorCode,
    `${message} The import stopped at line ${line}; importing the file again goes on there.`,
    { line },
  );
}

function nameOf(bank: string | undefined, id: string): string {
  return JSON.stringify([bank, id]);
}

/** About the characters of a content; what is no content yet is refused when it is written. */
function sizeOf(content: unknown): number {
  return typeof content === 'string' ? content.length : (JSON.stringify(content)?.length ?? 0);
}

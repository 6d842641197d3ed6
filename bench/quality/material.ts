import { seeded } from '../load/random.js';
import { isNamed, namedMemories } from './named-memories.js';
import { linesOf, memoryFiles, type QualitySet, sessionsOf } from './sets.js';
import { mixedIn, unrelated } from './unrelated.js';

/** A line of a file to import. */
export type ImportLine = Readonly<Record<string, unknown>> & { readonly conv_id: string };

/** What a memory says, for baselines and for what is printed. */
export interface Text {
  readonly id: string;
  readonly bank: string;
  readonly text: string;
  readonly session?: string;
  readonly subject?: string;
}

/** A set, ready to be imported. */
export interface Material {
  readonly format: 'turns' | 'jsonl';
  readonly lines: readonly ImportLine[];
  readonly texts: readonly Text[];
  /** The bank that holds all of it; else each conversation has one of its own. */
  readonly pool?: string;
}

/** A record of a set; which fields it has is told by its form. */
export interface MemoryRecord {
  readonly id: string;
  readonly conv_id?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly session_id?: string | null;
  readonly timestamp?: string | null;
  readonly speaker?: string | null;
  readonly subject?: string | null;
  readonly valid_from?: string | null;
  readonly valid_to?: string | null;
  readonly forget?: unknown;
  readonly [more: string]: unknown;
}

const poolName = 'pool';
/** More banks than this get one pool, where others are mixed in: each bank would have to hold them all. */
const mostBanksMixed = 10;
/** Since when what is mixed in holds, so that no day that is asked for leaves it out. */
const longAgo = '1900-01-01';
/** Turns of what is mixed in that make a session. */
const turnsOfSession = 20;

/**
 * What is to be imported of a set. Facts with spans always share one pool: within one question's own facts the day alone would decide.
 * @param options.mixed unrelated memories in each bank
 * @param options.pool whether all conversations share a bank
 * @param options.firstOf of so many conversations that follow each other only the first
 */
export function materialOf(
  set: QualitySet,
  options: { mixed?: number; pool?: boolean; firstOf?: number } = {},
): Material {
  // Paragraphs without text are no memories.
  const whole = memoryFiles(set).flatMap((file) => linesOf<MemoryRecord>(file).filter(({ text }) => text !== ''));
  const records = inSessions(firstOfEach(whole, options.firstOf ?? 1), sessionsOf(set));
  const banks = new Set(records.map(({ conv_id }) => conv_id).filter((bank) => bank !== undefined));
  const shared = options.pool || set.form === 'facts' || (options.mixed && banks.size > mostBanksMixed);
  const pool = shared ? poolName : set.form === 'memories' ? ([...banks][0] ?? poolName) : undefined;
  const named = set.form === 'turns' && records.some(isNamed);
  const form = named ? 'memories' : set.form;
  const own = (named ? namedMemories(records) : records).map((record) => ({
    ...lineOf(form, record),
    conv_id: pool ?? record.conv_id ?? poolName,
  }));
  const lines = options.mixed ? withOthers(own, form, options.mixed) : own;
  return {
    format: form === 'turns' ? 'turns' : 'jsonl',
    lines,
    texts: lines.filter((line) => !('forget' in line)).map(textOf),
    ...(pool === undefined ? {} : { pool }),
  };
}

/** As an agent writes down what it is told: in a session, each in any of them. What the files forget is left out, since it is forgotten by its key. */
function inSessions(records: readonly MemoryRecord[], sessions: number | undefined): readonly MemoryRecord[] {
  if (sessions === undefined) return records;
  const random = seeded(5);
  return records
    .filter(({ forget }) => forget === undefined)
    .map(({ key: _, speaker: __, ...record }) => ({ ...record, session_id: `s${Math.floor(random() * sessions)}` }));
}

/** Conversations as they first come in the files. */
function firstOfEach(records: readonly MemoryRecord[], count: number): readonly MemoryRecord[] {
  const order = [...new Set(records.map(({ conv_id }) => conv_id))];
  const taken = new Set(order.filter((_, at) => at % count === 0));
  return records.filter(({ conv_id }) => taken.has(conv_id));
}

function lineOf(form: QualitySet['form'], record: MemoryRecord): Record<string, unknown> {
  if (form !== 'facts') return record;
  const { id, text, valid_from, valid_to } = record;
  return { id, kind: 'semantic', content: text, ...given('valid_from', valid_from), ...given('valid_to', valid_to) };
}

function withOthers(own: readonly ImportLine[], form: QualitySet['form'], count: number): ImportLine[] {
  const banks = [...new Set(own.map(({ conv_id }) => conv_id))];
  return banks.flatMap((bank) => {
    // The same in each bank, so that an embedding cache makes their vectors once.
    const next = unrelated(17);
    const lines = own.filter(({ conv_id }) => conv_id === bank);
    return mixedIn(lines, count, (number, beside): ImportLine => {
      const id = `mixed:${number}`;
      if (form !== 'turns')
        return {
          id,
          conv_id: bank,
          kind: 'semantic',
          content: next(),
          ...(form === 'facts' && { valid_from: longAgo }),
        };
      const session = beside.session_id ? `mixed:${Math.floor(number / turnsOfSession)}` : undefined;
      return {
        id,
        conv_id: bank,
        text: next(),
        ...given('session_id', session),
        ...given('timestamp', beside.timestamp),
      };
    });
  });
}

function textOf(line: ImportLine): Text {
  const { id, conv_id: bank, text, content, speaker, session_id, subject } = line as MemoryRecord & ImportLine;
  const said = typeof content === 'string' ? content : content === undefined ? (text ?? '') : JSON.stringify(content);
  return {
    id,
    bank,
    text: speaker ? `${speaker}: ${said}` : said,
    ...given('session', session_id),
    ...given('subject', subject),
  };
}

function given<K extends string, V>(name: K, value: V | null | undefined): { [P in K]?: V } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { [P in K]?: V });
}

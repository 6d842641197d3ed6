import type { Ask, AuditRow } from '#contract/audit.js';
import { shownDuration } from '#query/mcp/render/duration.js';
import { textOf } from '#query/recall/open-version.js';

/** A column of an audit as a table and as CSV. */
export interface Column {
  readonly name: string;
  /** Characters in a table; the last column takes what is left. */
  readonly width: number;
  readonly of: (row: AuditRow) => string | number | undefined;
  /** Whether it is a time: a table shows it as a person reads it. */
  readonly time?: true;
  /** How a table shows it, where a person reads it otherwise than a program. */
  readonly inTable?: (row: AuditRow) => string | undefined;
}

type Plain = {
  [K in keyof AuditRow]-?: NonNullable<AuditRow[K]> extends string | number ? K : never;
}[keyof AuditRow];

const plain = (name: Plain, width: number): Column => ({ name, width, of: (row) => row[name] });
const time = (name: Plain, width = 16): Column => ({ name, width, time: true, of: (row) => row[name] });
const text = (content: AuditRow['content']) => (content === undefined ? undefined : textOf(content));

const id = plain('memory_id', 36);
const key = plain('key', 20);
const principal = plain('principal', 14);
const content: Column = { name: 'content', width: 40, of: (row) => text(row.content) };

const change: Column = {
  name: 'change',
  width: 16,
  of: ({ change, outcome }) => (outcome === undefined ? change : `${change} ${outcome}`),
};

/** What each audit shows of its rows, in this order. */
export const columnsOf: Readonly<Record<Exclude<Ask, 'belief'>, readonly Column[]>> = {
  state: [
    key,
    plain('status', 11),
    time('valid_from'),
    time('valid_to'),
    time('recorded_at'),
    principal,
    id,
    plain('version', 7),
    content,
  ],
  diff: [
    key,
    plain('change', 11),
    time('recorded_at'),
    principal,
    plain('why', 20),
    id,
    { name: 'before', width: 30, of: ({ before }) => text(before?.content) },
    { name: 'after', width: 30, of: ({ after }) => text(after?.content) },
  ],
  who: [
    time('recorded_at'),
    principal,
    plain('agent', 12),
    change,
    key,
    plain('why', 20),
    id,
    plain('version', 7),
    content,
  ],
  retroactive: [
    time('recorded_at'),
    time('valid_from'),
    {
      ...plain('late_by', 9),
      inTable: ({ late_by: late }) => (late === undefined ? undefined : shownDuration(late)),
    },
    principal,
    key,
    id,
    plain('version', 7),
    content,
  ],
  shown: [
    time('shown_at'),
    principal,
    plain('session_id', 16),
    plain('query', 30),
    plain('recall_id', 36),
    {
      name: 'shown',
      width: 40,
      of: ({ shown = [] }) =>
        shown
          .map((item) => `${text(item.content) ?? item.memory_id} (v${item.version}, ${item.score.toFixed(2)})`)
          .join(' | '),
    },
  ],
  events: [
    time('recorded_at'),
    plain('type', 18),
    plain('position', 16),
    plain('event_id', 36),
    principal,
    plain('why', 20),
    id,
    plain('hash', 43),
  ],
};

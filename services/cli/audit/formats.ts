import type { AuditRow } from '#contract/audit.js';
import type { Output } from '../output.js';
import { moment } from '../render/moment.js';
import { columnsOf, oneLine } from '../render/prose.js';
import type { Column } from './columns.js';

export const formats = ['table', 'jsonl', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Rows as lines, one by one: what is streamed need not be held. */
export interface Lines {
  readonly head?: string;
  line(row: AuditRow): string;
}

export function linesOf(format: Format, columns: readonly Column[], out: Output): Lines {
  switch (format) {
    case 'jsonl':
      return { line: (row) => JSON.stringify(row) };
    case 'csv':
      return {
        head: columns.map(({ name }) => name).join(','),
        line: (row) => columns.map(({ of }) => cell(of(row))).join(','),
      };
    case 'table':
      return {
        head: out.style(
          'bold',
          columns
            .map(({ name, width }) => name.padEnd(width))
            .join('  ')
            .trimEnd(),
        ),
        line: (row) => tableLine(row, columns, out.width),
      };
  }
}

/**
 * RFC 4180: quoted where it has to be, quotes doubled. A spreadsheet takes a text that begins with one of `=`, `+`, `-`, `@`, tab or carriage
 * return for a formula, also behind quotes, and what a memory says was written by anybody: an apostrophe before it makes it a text (OWASP).
 */
function cell(value: string | number | undefined): string {
  const given = value === undefined ? '' : String(value);
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function tableLine(row: AuditRow, columns: readonly Column[], width: number): string {
  const before = columns.slice(0, -1).reduce((sum, column) => sum + column.width + 2, 0);
  return columns
    .map(({ of, inTable = of, width: own, time }, at) => {
      const value = inTable(row);
      const last = at === columns.length - 1;
      const text = value === undefined ? '' : time ? moment(String(value)) : String(value);
      const room = last ? Math.max(own, width - before) : own;
      return padded(oneLine(text, room), last ? 0 : own);
    })
    .join('  ')
    .trimEnd();
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)));
}

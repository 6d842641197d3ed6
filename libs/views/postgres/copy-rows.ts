import type pg from 'pg';
import { from as copyStream } from 'pg-copy-streams';
import type { Row, Table } from '../table.js';
import type { Numbers } from './array-literal.js';
import { encodeText } from './cells.js';
import { cellType } from './schema.js';

/** Rows on their way into a table, in COPY's text form: one string for many rows costs V8 less than a buffer for each value. */
export interface CopiedRows {
  readonly copy: string;
  readonly text: string;
}

export function copyOf(table: Table, name: string, rows: readonly Row[], numbers: Numbers): CopiedRows {
  const write = rowWriter(table, numbers);
  let text = '';
  for (const row of rows) text += write(row);
  return { copy: `COPY ${name} (${Object.keys(table.columns).join(', ')}) FROM STDIN`, text };
}

export function copyRows(client: pg.ClientBase, { copy, text }: CopiedRows): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = client.query(copyStream(copy));
    // On, not once: a broken connection may be told of twice.
    stream.on('error', reject);
    stream.once('finish', resolve);
    stream.end(text);
  });
}

function rowWriter(table: Table, numbers: Numbers): (row: Row) => string {
  const columns = Object.entries(table.columns).map(([column, type]) => ({ column, type: cellType(type) }));
  return (row) => {
    let line = '';
    for (let index = 0; index < columns.length; index++) {
      const { column, type } = columns[index]!;
      const cell = row[column] ?? null;
      if (index) line += '\t';
      if (cell === null) line += '\\N';
      else
        switch (type) {
          case 'bank':
            line += numbers.get(cell as string)!;
            break;
          case 'text':
          case 'position':
            line += escaped(encodeText(cell as string));
            break;
          case 'hex':
            line += `\\\\x${cell}`;
            break;
          case 'blob':
            line += `\\\\x${Buffer.from(cell as Uint8Array).toString('hex')}`;
            break;
          default:
            line += cell;
        }
    }
    return `${line}\n`;
  };
}

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character]!) : text;
}

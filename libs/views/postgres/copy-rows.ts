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
  const write = rowWriter(table, Object.keys(table.columns), numbers);
  let text = '';
  for (const row of rows) text += write(row);
  return { copy: copyInto(name, Object.keys(table.columns)), text };
}

function copyInto(name: string, columns: readonly string[]): string {
  return `COPY ${name} (${columns.join(', ')}) FROM STDIN`;
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

/** Rows in COPY's text form, made as the server takes them. */
export async function copyBytes(
  client: pg.ClientBase,
  name: string,
  columns: readonly string[],
  rows: Iterable<Uint8Array>,
): Promise<void> {
  const stream = client.query(copyStream(copyInto(name, columns)));
  let failure: { readonly error: unknown } | undefined;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  stream.on('error', (error: unknown) => {
    failure ??= { error };
    end();
  });
  stream.once('finish', () => end());
  for (const some of rows) {
    if (failure) break;
    if (!stream.write(some)) await Promise.race([over, new Promise<void>((resolve) => stream.once('drain', resolve))]);
  }
  if (!failure) stream.end();
  await over;
  if (failure) throw failure.error;
}

/** Rows as texts of some length each. */
export function* rowsToCopy(table: Table, rows: Iterable<Row>, numbers: Numbers): Generator<string> {
  const write = rowWriter(table, Object.keys(table.columns), numbers);
  let text = '';
  for (const row of rows) {
    text += write(row);
    if (text.length < stretch) continue;
    yield text;
    text = '';
  }
  if (text) yield text;
}

/** Some columns of a row, with a tab behind each. */
export function columnsOf(table: Table, columns: readonly string[], row: Row, numbers: Numbers): string {
  return `${rowWriter(table, columns, numbers)(row).slice(0, -1)}\t`;
}

function rowWriter(table: Table, of: readonly string[], numbers: Numbers): (row: Row) => string {
  const columns = of.map((column) => ({ column, type: cellType(table.columns[column]!) }));
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

/** Characters of rows that are made into one text. */
const stretch = 16 * 1024;

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character]!) : text;
}

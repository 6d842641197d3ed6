import type { Cell } from '../table.js';
import { cellType } from './schema.js';

/** What the driver gives for a column: bytea as Buffer, bigint and double precision as numbers. */
export type SqlValue = string | number | Buffer | null;

/**
 * PostgreSQL keeps no U+0000 in text, and a session's name may hold one. It stands as U+0001 U+0001, and U+0001 itself as
 * U+0001 U+0002: whatever was told apart is, and sorts as it did.
 */
export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes('\x01')) return text;
  return text.replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01');
}

/** The text that `encodeText` was given. */
export function decodeText(text: string): string {
  if (!text.includes('\x01')) return text;
  return text.replaceAll('\x01\x01', '\0').replaceAll('\x01\x02', '\x01');
}

/** A cell as the driver read it. A bank comes as its id: a statement joins hl_banks, or puts the id that it asked with in its place. */
export function readCell(type: string, value: SqlValue): Cell {
  if (value === null) return null;
  switch (cellType(type)) {
    case 'hex':
      return (value as Buffer).toString('hex');
    case 'text':
    case 'position':
      return decodeText(value as string);
    default:
      return value;
  }
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HindsightError } from '#contract/errors.js';
import { canonicalJson, type Json } from '#events/canonical.js';

/** What a page was asked for by. */
export interface Asked {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Where a page ended: the next one rests on the same bases, and begins after the same place. */
export interface Cursor {
  readonly basis: string;
  /** diff: the earlier of its bases. */
  readonly from?: string;
  /** What rows are ordered by: a doc's number, or a moment's. Neither changes with what is written later, nor by a rebuild. */
  readonly after: number;
}

const parts = z.tuple([z.string(), z.string(), z.string(), z.int()]);

/** An opaque token, URL-safe. It goes with the parameters that it was given for. */
export function encodeCursor({ basis, from = '', after }: Cursor, input: Asked): string {
  return `a1.${Buffer.from(JSON.stringify([printOf(input), basis, from, after])).toString('base64url')}`;
}

/** @throws HindsightError invalid_input for a token that is none, or of another question */
export function decodeCursor(token: string, input: Asked): Cursor {
  const [print, basis, from, after] = parsed(token);
  if (print !== printOf(input))
    throw new HindsightError(
      'invalid_input',
      'cursor belongs to a question with other parameters: give it back together with those that it was given for.',
      { parameter: 'cursor' },
    );
  return { basis, ...(from === '' ? {} : { from }), after };
}

/** All that was asked but for the page. */
function printOf({ cursor: _cursor, limit: _limit, ...asked }: Asked): string {
  const text = canonicalJson(JSON.parse(JSON.stringify(asked, (_, value: unknown) => wellFormed(value))) as Json);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function parsed(token: string): z.infer<typeof parts> {
  try {
    if (!token.startsWith('a1.')) throw new TypeError('no cursor');
    return parts.parse(JSON.parse(Buffer.from(token.slice(3), 'base64url').toString('utf8')));
  } catch {
    const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
    throw new HindsightError(
      'invalid_input',
      `cursor is ${JSON.stringify(shown)}, which is none that an answer gave. Give back \`next\` as it came, or leave it out.`,
      { parameter: 'cursor' },
    );
  }
}

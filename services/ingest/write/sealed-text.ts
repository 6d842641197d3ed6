import { HindsightError } from '#contract/errors.js';

/** Deeper nesting is no memory but an accident, and would exhaust the stack of everyone who reads it. */
const deepest = 100;

/**
 * JSON text of a value, members sorted, so that the same content compares equal whoever wrote it. Unlike canonical bytes
 * (RFC 8785) it takes lone surrogates: JSON.stringify writes them, and NUL, as escapes, and so they come back exactly.
 * @throws HindsightError invalid_input when it is nested deeper than 100 levels
 */
export function sortedJson(parameter: string, value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(sorted(parameter, value, 0));
}

function sorted(parameter: string, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest)
    throw new HindsightError('invalid_input', `${parameter} is nested deeper than ${deepest} levels.`, { parameter });
  if (Array.isArray(value)) return value.map((each) => sorted(parameter, each, depth + 1));
  // A null prototype keeps a member named __proto__ an ordinary member.
  const target: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort())
    target[name] = sorted(parameter, (value as Record<string, unknown>)[name], depth + 1);
  return target;
}

/**
 * For names (keys, tags, sessions, reasons …): they stand in canonical bytes, which hold no lone surrogate.
 * @throws HindsightError invalid_input
 */
export function wellFormed(parameter: string, text: string): string {
  if (text.isWellFormed()) return text;
  throw new HindsightError(
    'invalid_input',
    `${parameter} holds half of a surrogate pair; only content and metadata may hold such text.`,
    { parameter },
  );
}

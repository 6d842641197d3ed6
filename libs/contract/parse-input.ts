import type { z } from 'zod';
import { HindsightError } from './errors.js';

/**
 * Checks what a caller sent. The first thing that is wrong is told: the parameter, what was given and what is accepted;
 * unknown parameters come with the list of the known ones.
 * @throws HindsightError invalid_input with {parameter, given} · unknown_parameter with {unknown, known} · too_many
 */
export function parseInput<S extends z.ZodObject>(schema: S, given: unknown): z.infer<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw inputError(parsed.error, schema, given);
}

function inputError(error: z.ZodError, schema: z.ZodObject, given: unknown): HindsightError {
  const issue = innermost(error.issues[0]!);
  const parameter = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(issue.path.length ? (shapeAt(schema, issue.path) ?? {}) : schema.shape);
    const unknown = issue.keys.map((key) => (parameter ? `${parameter}.${key}` : key));
    return new HindsightError(
      'unknown_parameter',
      `${unknown.map((each) => JSON.stringify(each)).join(', ')}: no such parameter. Known: ${known.join(', ')}.`,
      { unknown, known },
    );
  }
  const value = valueAt(given, issue.path);
  const name = parameter || 'input';
  if (value === undefined)
    return new HindsightError('invalid_input', `${name} is missing. ${sentence(issue.message)}`, { parameter: name });
  if (issue.code === 'too_big' && Array.isArray(value))
    return new HindsightError('too_many', `${name} has ${value.length} entries; at most ${issue.maximum} are taken.`, {
      parameter: name,
      given: value.length,
      limit: Number(issue.maximum),
    });
  if (issue.code === 'too_big' && typeof value === 'string')
    return new HindsightError(
      'too_large',
      `${name} has ${value.length} characters; at most ${issue.maximum} are taken.`,
      { parameter: name, given: value.length, limit: Number(issue.maximum) },
    );
  return new HindsightError('invalid_input', `${name} is ${shown(value)}. ${sentence(issue.message)}`, {
    parameter: name,
    given: shown(value),
  });
}

/** Of a union, the branch whose type fits but whose value does not says most. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const branches = issue.errors.map((each) => each[0]).filter((each) => each !== undefined);
  const telling = branches.find((each) => each.code !== 'invalid_type');
  if (!telling) {
    const wanted = branches.flatMap((each) => (each.code === 'invalid_type' ? [inWords(each.expected)] : []));
    return { ...issue, message: `Expected ${wanted.join(' or ')}` };
  }
  return innermost({ ...telling, path: [...issue.path, ...telling.path] } as z.core.$ZodIssue);
}

const words = new Map([
  ['string', 'text'],
  ['record', 'an object'],
  ['number', 'a number'],
]);

/** One of zod's types as people say it. */
function inWords(type: string): string {
  return words.get(type) ?? type;
}

function shapeAt(schema: z.ZodObject, path: readonly PropertyKey[]): Record<string, unknown> | undefined {
  let at: unknown = schema;
  for (const step of path) {
    at = bare(at);
    at = typeof step === 'number' ? (at as { element?: unknown }).element : shapeOf(at)?.[String(step)];
  }
  return shapeOf(bare(at));
}

function bare(schema: unknown): unknown {
  let at = schema as { unwrap?: () => unknown; element?: unknown };
  while (typeof at?.unwrap === 'function' && at.element === undefined) at = at.unwrap() as typeof at;
  return at;
}

function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  return (schema as { shape?: Record<string, unknown> } | undefined)?.shape;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], given);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function sentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

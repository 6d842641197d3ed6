import type { z } from 'zod';
import { type ErrorCode, HindsightError } from '../errors.js';
import { accepted, schemaAt } from './accepted.js';
import type { JsonSchema } from './listed-schema.js';
import { nearest } from './nearest.js';

type Issue = z.core.$ZodIssue;

/** Problems told at once; more would only hide the first. */
const mostTold = 5;
/** Characters of a wrong value that are given back. */
const longestGiven = 60;

/** One error for all that is wrong with an input: each parameter, what was given and what is accepted. */
export function inputError(
  issues: readonly Issue[],
  listed: JsonSchema,
  args: unknown,
  within: readonly PropertyKey[],
): HindsightError {
  const told = issues.slice(0, mostTold).map((issue) => sentence(issue, listed, args, within));
  if (issues.length > mostTold) told.push(`And ${issues.length - mostTold} more like these.`);
  const parameters = [...new Set(issues.flatMap((issue) => names(issue, within)))];
  return new HindsightError(codeOf(issues), told.join(' '), { parameter: parameters[0], parameters });
}

/** The code whose hint fits all of them. */
function codeOf(issues: readonly Issue[]): ErrorCode {
  if (issues.every(({ code }) => code === 'unrecognized_keys')) return 'unknown_parameter';
  return issues.every((issue) => issue.code === 'too_big' && issue.origin === 'array') ? 'too_many' : 'invalid_input';
}

function sentence(issue: Issue, listed: JsonSchema, args: unknown, within: readonly PropertyKey[]): string {
  const schema = schemaAt(listed, issue.path);
  if (issue.code === 'unrecognized_keys') return unknown(issue.keys, schema, pathName([...within, ...issue.path]));
  const name = pathName([...within, ...issue.path]) || 'The input';
  const given = valueAt(args, issue.path);
  if (given === undefined) return `${name} is missing: it takes ${accepted(schema)}.`;
  return `${name} is ${shown(given)}, but takes ${accepted(schema)}.`;
}

function unknown(keys: readonly string[], schema: JsonSchema, at: string): string {
  const known = Object.keys(schema.properties ?? {});
  const where = at ? ` of ${at}` : '';
  const listedNames = known.length === 0 ? 'there are none' : `the known ones${where} are ${known.join(', ')}`;
  const meant = keys.map((key) => nearest(key, known)).filter((name) => name !== undefined);
  const guess = meant.length === 0 ? '' : ` Did you mean ${meant.join(', ')}?`;
  const [is, parameters] = keys.length === 1 ? ['is', 'no known parameter'] : ['are', 'no known parameters'];
  return `${keys.map((key) => clipped(key)).join(', ')} ${is} ${parameters}; ${listedNames}.${guess}`;
}

function names(issue: Issue, within: readonly PropertyKey[]): string[] {
  const path = [...within, ...issue.path];
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => pathName([...path, key])) : [pathName(path)];
}

/** `items[3].time_range.from` */
function pathName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name ? `${name}.${String(part)}` : String(part);
  }, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined),
    value,
  );
}

function shown(value: unknown): string {
  if (typeof value === 'string' && value.length > longestGiven)
    return `${JSON.stringify(value.slice(0, longestGiven))}… (${value.length} characters)`;
  if (Array.isArray(value) && value.length > 3) return `a list of ${value.length} entries`;
  return clipped(asJson(value));
}

/** What is nested too deeply can be read from JSON, but not be written. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'nested too deeply';
  }
}

function clipped(text: string): string {
  return text.length > longestGiven ? `${text.slice(0, longestGiven)}…` : text;
}

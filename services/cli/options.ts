import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';

/** Parsers for options: what they throw becomes a line that names the option, and exit code 2. */
export function wholeNumber(given: string): number {
  if (!/^\d+$/.test(given)) throw new InvalidArgumentError('Give a whole number.');
  return Number(given);
}

export function fraction(given: string): number {
  const value = Number(given);
  if (!given.trim() || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('Give a number from 0 to 1.');
  return value;
}

export function jsonObject(given: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, as for any other JSON that is no object.
  }
  throw new InvalidArgumentError('Give a JSON object, for example \'{"a": 1}\'.');
}

/** Of every verb that writes a file which somebody names. */
export const overwriteFlag = ['--overwrite', 'replace the file where it is there: it is refused otherwise'] as const;

/** For options that may be given several times, and lists inside one of them. */
export function listed(given: string, before: string[] | undefined): string[] {
  const parts = given.split(',').map((part) => part.trim());
  return [...(before ?? []), ...parts.filter(Boolean)];
}

export function oneOf(flags: string, about: string, choices: readonly string[]): Option {
  return new Option(flags, about).choices(choices);
}

/** Some of a fixed list, separated by commas or repeated. */
export function someOf(choices: readonly string[]) {
  return (given: string, before: string[] | undefined): string[] => {
    const values = listed(given, before);
    const wrong = values.find((value) => !choices.includes(value));
    if (wrong !== undefined)
      throw new InvalidArgumentError(`${JSON.stringify(wrong)} is none of ${choices.join(', ')}.`);
    return values;
  };
}

/** An interval as ISO 8601 writes it, `FROM/TO`; without one of them it is open there. */
export function span(given: string): { from?: string; to?: string } {
  const [from, to, ...more] = given.split('/');
  if (to === undefined || more.length > 0 || !(from || to))
    throw new InvalidArgumentError('Give two times with a slash between, for example 2026-09-01/2026-10-01.');
  return { ...(from && { from }), ...(to && { to }) };
}

/** The argument, or all of stdin for `-`. */
export function textOrStdin(given: string): string {
  return given === '-' ? readFileSync(0, 'utf8').replace(/\n$/, '') : given;
}

/** The camel-case options of a verb as the snake-case parameters of the tool; what was not given is left out. */
export function parameters(
  options: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    names.flatMap((name) => (options[camel(name)] === undefined ? [] : [[name, options[camel(name)]]])),
  );
}

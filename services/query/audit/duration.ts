import { HindsightError } from '#contract/errors.js';

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Milliseconds of `90s`, `15m`, `1h`, `30d`, `2w`. @throws HindsightError invalid_input */
export function parseDuration(parameter: string, given: string): number {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)\s*([smhdw])$/.exec(given.trim());
  if (match) return Number(match[1]) * units[match[2]!]! * 1000;
  throw new HindsightError(
    'invalid_input',
    `${parameter} is ${JSON.stringify(given.slice(0, 60))}, but takes a duration: a number and s, m, h, d or w, for example 90s or 1h.`,
    { parameter, given: given.slice(0, 60) },
  );
}

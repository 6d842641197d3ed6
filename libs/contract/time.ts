import { HindsightError } from './errors.js';

/** Date, then optionally a time (a space instead of the T is common), then optionally an offset. Years are 0001 to 9999. */
const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

const example = '2026-02-28T09:00:00+08:00';
const earliest = Date.UTC(2000, 0, 1) - 730_119 * 86_400_000; // 0001-01-01T00:00Z
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A time as people and programs write it (ISO 8601; a date alone is its first moment; without an offset it is UTC), as
 * ISO 8601 in UTC with milliseconds: the one spelling in which stored times compare as text.
 * @param parameter names the parameter in the error
 * @throws HindsightError invalid_time with {parameter, given}
 */
export function parseTime(parameter: string, given: string): string {
  return new Date(parseMillis(parameter, given)).toISOString();
}

/** As `parseTime`, in milliseconds since the epoch. */
export function parseMillis(parameter: string, given: string): number {
  const match = pattern.exec(given.trim());
  if (!match) throw notATime(parameter, given, 'is no ISO 8601 time');
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = match;
  const millis = Number(fraction.padEnd(3, '0').slice(0, 3));
  // setUTCFullYear, since Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const moment = new Date(0);
  moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const sameDay = moment.getUTCMonth() === Number(month) - 1 && moment.getUTCDate() === Number(day);
  if (!sameDay || Number(year) === 0) throw notATime(parameter, given, 'is not a date');
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw notATime(parameter, given, 'has a time of day that does not exist');
  const utc = moment.setUTCHours(Number(hour), Number(minute), Number(second), millis) - offsetMillis(offset);
  if (Number.isNaN(utc)) throw notATime(parameter, given, 'has an offset that does not exist');
  if (utc < earliest || utc > latest) throw notATime(parameter, given, 'lies outside the years 0001 to 9999');
  return utc;
}

function offsetMillis(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || '0');
  if (hours > 18 || minutes > 59) return Number.NaN;
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function notATime(parameter: string, given: string, why: string): HindsightError {
  const shown = given.length > 60 ? `${given.slice(0, 60)}…` : given;
  return new HindsightError(
    'invalid_time',
    `${parameter} is ${JSON.stringify(shown)}, which ${why}. Use ISO 8601 with an offset, for example ${example}.`,
    { parameter, given: shown },
  );
}

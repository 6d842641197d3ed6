import { HindsightError } from '#contract/errors.js';

const units: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const short = /^(\d+(?:\.\d+)?)\s*([smhdw])?$/i;
const iso =
  /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=.)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * When something with this time to live expires: seconds, "90s", "30m", "12h", "7d", "2w", or an ISO 8601 duration (months
 * and years are the calendar's).
 * @param from milliseconds since the epoch
 * @returns ISO, UTC, milliseconds
 * @throws HindsightError invalid_input
 */
export function expiryOf(ttl: number | string, from: number): string {
  const expires = typeof ttl === 'number' ? from + ttl * 1000 : after(ttl.trim(), from);
  if (expires === undefined || Number.isNaN(expires) || Math.round(expires) <= from || expires > latest) {
    throw new HindsightError(
      'invalid_input',
      `ttl is ${JSON.stringify(ttl)}. Expected a positive number of seconds or a duration such as "30m", "12h", "7d" or "P30D" that ends before the year 10000.`,
      { parameter: 'ttl', given: ttl },
    );
  }
  return new Date(Math.round(expires)).toISOString();
}

function after(ttl: string, from: number): number | undefined {
  const plain = short.exec(ttl);
  if (plain) return from + Number(plain[1]) * units[(plain[2] ?? 's').toLowerCase()]! * 1000;
  const match = iso.exec(ttl);
  if (!match) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const moment = new Date(from);
  const day = moment.getUTCDate();
  moment.setUTCFullYear(moment.getUTCFullYear() + years!, moment.getUTCMonth() + months!, 1);
  const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate();
  moment.setUTCDate(Math.min(day, lastDay));
  const rest = (weeks! * 7 + days!) * 86_400 + hours! * 3_600 + minutes! * 60 + seconds!;
  return moment.getTime() + rest * 1000;
}

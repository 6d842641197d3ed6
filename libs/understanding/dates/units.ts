import {
  type Anchor,
  day,
  daysFrom,
  hour,
  type LocalSpan,
  midnight,
  monthOf,
  quarterOf,
  weekBeside,
  weekendBeside,
  yearOf,
} from './calendar.js';

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'weekend' | 'month' | 'quarter' | 'year' | 'decade';

/** So many units before (negative) or after the anchor. Beyond days the words leave room. */
export function unitsFrom(anchor: Anchor, count: number, unit: Unit, exact: boolean): LocalSpan | undefined {
  if (Math.abs(count) > 2_000) return undefined;
  const whole = Math.trunc(count);
  switch (unit) {
    case 'minute':
    case 'hour': {
      const size = unit === 'hour' ? hour : 60_000;
      const from = Math.floor((anchor.now + count * size) / size) * size;
      return { from, to: from + size, grain: unit, exact: false };
    }
    case 'day':
      return { ...daysFrom(anchor, whole), exact };
    case 'weekend':
      return { ...weekendBeside(anchor, whole), exact };
    case 'week': {
      const middle = anchor.today + Math.round(count * 7) * day;
      return { from: middle - 3 * day, to: middle + 4 * day, grain: 'week', exact: false };
    }
    case 'month': {
      if (whole !== count) {
        const middle = anchor.today + Math.round(count * 30.4) * day;
        return { from: middle - 7 * day, to: middle + 8 * day, grain: 'month', exact: false };
      }
      return monthOf(anchor.year, anchor.month + count, false);
    }
    case 'quarter':
      return { ...quarterOf(anchor.year, Math.floor(anchor.month / 3) + whole), exact: false };
    case 'year':
      return whole === count
        ? yearOf(anchor.year + count, false)
        : monthOf(anchor.year, anchor.month + Math.round(count * 12), false);
    case 'decade': {
      const year = anchor.year + whole * 10;
      return { from: midnight(year - 5, 0, 1), to: midnight(year + 5, 0, 1), grain: 'decade', exact: false };
    }
  }
}

/** The time up to today, or from today on, that `the past two weeks` and `the next few days` name. */
export function stretch(anchor: Anchor, count: number, unit: Unit): LocalSpan | undefined {
  if (Math.abs(count) > 2_000 || unit === 'minute' || unit === 'hour' || unit === 'weekend') return undefined;
  const months = { month: 1, quarter: 3, year: 12, decade: 120 } as const;
  const far =
    unit === 'day' || unit === 'week'
      ? anchor.today + count * (unit === 'day' ? 1 : 7) * day
      : midnight(anchor.year, anchor.month + Math.round(count * months[unit]), new Date(anchor.today).getUTCDate());
  const grain = unit;
  return count < 0
    ? { from: far, to: anchor.today + day, grain, exact: false }
    : { from: anchor.today, to: far + day, grain, exact: false };
}

/** The calendar's week, month, year … that lies so many from the anchor's. */
export function beside(anchor: Anchor, name: Unit, steps: number): LocalSpan | undefined {
  switch (name) {
    case 'week':
      return weekBeside(anchor, steps);
    case 'weekend':
      return weekendBeside(anchor, steps);
    case 'month':
      return monthOf(anchor.year, anchor.month + steps);
    case 'quarter':
      return quarterOf(anchor.year, Math.floor(anchor.month / 3) + steps);
    case 'year':
      return yearOf(anchor.year + steps);
    case 'day':
      return daysFrom(anchor, steps);
    default:
      return unitsFrom(anchor, steps, name, false);
  }
}

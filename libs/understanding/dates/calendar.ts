import type { Grain } from './dated.js';

/** Milliseconds of a clock on the wall, as if it stood in UTC: the offset is put back at the end. */
export type Local = number;

/** A time between two moments of the wall clock, half-open. */
export interface LocalSpan {
  readonly from: Local;
  readonly to: Local;
  readonly grain: Grain;
  readonly exact: boolean;
}

/** The moment that relative words are counted from. */
export interface Anchor {
  readonly now: Local;
  /** Of the clock on the wall against UTC, in milliseconds. */
  readonly offset: number;
  /** Midnight before now. */
  readonly today: Local;
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
  /** 0 is Monday. */
  readonly weekday: number;
}

export const hour = 3_600_000;
export const day = 24 * hour;

const withOffset = /([+-])(\d{2}):?(\d{2})$/;

/** @param at ISO 8601; without an offset it is UTC. Undefined when it is no time. */
export function anchorOf(at: string): Anchor | undefined {
  const zone = withOffset.exec(at.length > 10 ? at.slice(10) : '');
  const offset = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) * 60_000 : 0;
  const named = zone !== null || /z$/i.test(at) || at.length <= 10;
  const moment = Date.parse(named ? at : `${at}Z`);
  if (!Number.isFinite(moment)) return undefined;
  const now = moment + offset;
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    now,
    offset,
    today: midnight(year, month, date.getUTCDate()),
    year,
    month,
    weekday: (date.getUTCDay() + 6) % 7,
  };
}

/** Months beyond a year's and days beyond a month's roll over. */
export function midnight(year: number, month: number, date: number): Local {
  // Date.UTC takes years below 100 for those of the twentieth century.
  return new Date(0).setUTCFullYear(year, month, date);
}

/** A day of the calendar; undefined when there is none (30 February). */
export function dayOf(year: number, month: number, date: number, exact = true): LocalSpan | undefined {
  if (month < 0 || month > 11 || date < 1 || date > 31) return undefined;
  const from = midnight(year, month, date);
  return new Date(from).getUTCMonth() === month ? { from, to: from + day, grain: 'day', exact } : undefined;
}

export function monthOf(year: number, month: number, exact = true): LocalSpan {
  return { from: midnight(year, month, 1), to: midnight(year, month + 1, 1), grain: 'month', exact };
}

export function yearOf(year: number, exact = true): LocalSpan {
  return { from: midnight(year, 0, 1), to: midnight(year + 1, 0, 1), grain: 'year', exact };
}

/** @param quarter 0 to 3; others roll over */
export function quarterOf(year: number, quarter: number): LocalSpan {
  return {
    from: midnight(year, quarter * 3, 1),
    to: midnight(year, quarter * 3 + 3, 1),
    grain: 'quarter',
    exact: true,
  };
}

/** Seasons of the northern half by months: spring is March to May (0), winter begins in December (3). Where they begin is not exact. */
export function seasonOf(year: number, season: number): LocalSpan {
  return {
    from: midnight(year, 2 + season * 3, 1),
    to: midnight(year, 5 + season * 3, 1),
    grain: 'season',
    exact: false,
  };
}

/** The season before, of or after the anchor's: last summer is the last one that is over. */
export function seasonBeside(anchor: Anchor, season: number, which: 'last' | 'this' | 'next'): LocalSpan {
  let year = anchor.year + 1;
  if (which === 'last') {
    while (seasonOf(year, season).to > anchor.today) year--;
  } else if (which === 'next') {
    year = anchor.year - 1;
    while (seasonOf(year, season).from <= anchor.today) year++;
  } else {
    // January's `this winter` began last year.
    year = season === 3 && anchor.month < 2 ? anchor.year - 1 : anchor.year;
  }
  return seasonOf(year, season);
}

/** Monday to Sunday, `weeks` from the anchor's. */
export function weekBeside(anchor: Anchor, weeks: number): LocalSpan {
  const from = anchor.today - anchor.weekday * day + weeks * 7 * day;
  return { from, to: from + 7 * day, grain: 'week', exact: true };
}

/** Saturday and Sunday of the week that is `weeks` from the anchor's. */
export function weekendBeside(anchor: Anchor, weeks: number): LocalSpan {
  const { from } = weekBeside(anchor, weeks);
  return { from: from + 5 * day, to: from + 7 * day, grain: 'weekend', exact: true };
}

export function daysFrom(anchor: Anchor, days: number): LocalSpan {
  const from = anchor.today + days * day;
  return { from, to: from + day, grain: 'day', exact: true };
}

/** A weekday of the week that is `weeks` from the anchor's. */
export function weekdayOf(anchor: Anchor, weekday: number, weeks: number): LocalSpan {
  return daysFrom(anchor, weekday - anchor.weekday + weeks * 7);
}

/** The last such weekday before today, or the next one after today. */
export function weekdayBeside(anchor: Anchor, weekday: number, forward: boolean, exact: boolean): LocalSpan {
  const apart = (((weekday - anchor.weekday) % 7) + 7) % 7;
  return { ...daysFrom(anchor, forward ? apart || 7 : apart === 0 ? -7 : apart - 7), exact };
}

/** How far ahead a day without a year is taken for the one to come, in days: `my birthday is on 7 May`, said on the first. */
const ahead = 60;

/** The year of a day or month that has none: the last one, or the next one where the text looks forward. */
export function guessYear(anchor: Anchor, month: number, date: number, forward: boolean): number {
  const from = midnight(anchor.year, month, date);
  if (forward) return from >= anchor.today || month === anchor.month ? anchor.year : anchor.year + 1;
  return from <= anchor.today + ahead * day ? anchor.year : anchor.year - 1;
}

/** ISO 8601 in UTC. */
export function isoOf(anchor: Anchor, local: Local): string {
  return new Date(local - anchor.offset).toISOString();
}

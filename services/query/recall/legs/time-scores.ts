import type { AskedSpan } from '#understanding/dates/dated.js';

const day = 86_400_000;
/** Days after which a memory outside of what is asked about counts a third: people speak of things for about that long. */
const fades = 15;
export const fadesMillis = fades * day;
export const yearMillis = 365.2425 * day;

/** Ends of a span in milliseconds; what is open is infinite. `yearly` where no year was said. */
export interface AskedTime {
  readonly from: number;
  readonly to: number;
  readonly yearly: boolean;
  /** The same of other years, by how many years later, so that each is reckoned once. */
  readonly years: Map<number, Span>;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The times that a question asks about, as numbers. */
export function askedTimes(dates: readonly AskedSpan[]): AskedTime[] {
  return dates.map(({ from, to, exact, grain }) => ({
    from: from === undefined ? -Infinity : Date.parse(from),
    to: to === undefined ? Infinity : Date.parse(to),
    yearly: !exact && (grain === 'day' || grain === 'month' || grain === 'season'),
    years: new Map(),
  }));
}

/**
 * How near a moment is to what is asked about: 1 within, falling by e every 15 days outside. A day or month without its year is that of any
 * year: the one nearest to the moment.
 */
export function nearness(at: number, times: readonly AskedTime[]): number {
  let nearest = 0;
  for (const time of times) {
    const { from, to } = time.yearly ? inYearOf(at, time) : time;
    const gap = at < from ? from - at : at >= to ? at - to : 0;
    if (gap === 0) return 1;
    nearest = Math.max(nearest, Math.exp(-gap / fadesMillis));
  }
  return nearest;
}

/** The same of whichever of a memory's moments is nearest: when it happened, and what it is about. */
export function nearestOf(at: number, about: readonly number[], times: readonly AskedTime[]): number {
  let nearest = nearness(at, times);
  for (const each of about) nearest = Math.max(nearest, nearness(each, times));
  return nearest;
}

/** Whether a moment lies in what is asked about: half-open, to the moment. */
export function isInside(at: number, times: readonly AskedTime[]): boolean {
  return times.some((time) => {
    const { from, to } = time.yearly ? inYearOf(at, time) : time;
    return at >= from && at < to;
  });
}

/** Whether a moment lies in what is asked about, or a day beside it: what happened is told the day after. */
export function isWithin(at: number, times: readonly AskedTime[]): boolean {
  return times.some((time) => {
    const { from, to } = time.yearly ? inYearOf(at, time) : time;
    return at >= from - day && at < to + day;
  });
}

function inYearOf(at: number, time: AskedTime): Span {
  const { from, to } = time;
  if (!Number.isFinite(from) || !Number.isFinite(to)) return time;
  return spanInYear(time, Math.round((at - from) / yearMillis));
}

/** The same stretch so many years later; of one that has both ends. */
export function spanInYear(time: AskedTime, later: number): Span {
  const known = time.years.get(later);
  if (known) return known;
  const { from, to } = time;
  const moved = new Date(from);
  moved.setUTCFullYear(moved.getUTCFullYear() + later);
  const span = { from: moved.getTime(), to: moved.getTime() + (to - from) };
  time.years.set(later, span);
  return span;
}

import type { AskedSpan } from '#understanding/dates/dated.js';

const day = 86_400_000;
/** Days after which a memory outside of what is asked about counts a third: people speak of things for about that long. */
const fades = 15;

/** Ends of a span in milliseconds; what is open is infinite. `yearly` where no year was said. */
export interface AskedTime {
  readonly from: number;
  readonly to: number;
  readonly yearly: boolean;
}

/** The times that a question asks about, as numbers. */
export function askedTimes(dates: readonly AskedSpan[]): AskedTime[] {
  return dates.map(({ from, to, exact, grain }) => ({
    from: from === undefined ? -Infinity : Date.parse(from),
    to: to === undefined ? Infinity : Date.parse(to),
    yearly: !exact && (grain === 'day' || grain === 'month' || grain === 'season'),
  }));
}

/**
 * How near a moment is to what is asked about: 1 within, falling by e every 15 days outside. A day or month without its year is that of any
 * year: the one nearest to the moment.
 */
export function nearness(at: number, times: readonly AskedTime[]): number {
  let nearest = 0;
  for (const time of times) {
    const [from, to] = time.yearly ? inYearOf(at, time) : [time.from, time.to];
    const gap = at < from ? from - at : at >= to ? at - to : 0;
    nearest = Math.max(nearest, Math.exp(-gap / (fades * day)));
  }
  return nearest;
}

/** The same of whichever of a memory's moments is nearest: when it happened, and what it is about. */
export function nearestOf(at: number, about: readonly number[], times: readonly AskedTime[]): number {
  return about.reduce((nearest, each) => Math.max(nearest, nearness(each, times)), nearness(at, times));
}

/** Whether a moment lies in what is asked about, or a day beside it: what happened is told the day after. */
export function isWithin(at: number, times: readonly AskedTime[]): boolean {
  return times.some((time) => {
    const [from, to] = time.yearly ? inYearOf(at, time) : [time.from, time.to];
    return at >= from - day && at < to + day;
  });
}

function inYearOf(at: number, { from, to }: AskedTime): readonly [number, number] {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return [from, to];
  const years = Math.round((at - from) / (365.2425 * day));
  const moved = new Date(from);
  moved.setUTCFullYear(moved.getUTCFullYear() + years);
  return [moved.getTime(), moved.getTime() + (to - from)];
}

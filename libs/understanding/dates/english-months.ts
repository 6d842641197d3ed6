import { type Anchor, dayOf, guessYear, type LocalSpan, midnight, monthOf } from './calendar.js';
import { partOf, partWords, yearWords as year } from './english-parts.js';
import type { Rule } from './rule.js';

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Months that are no other word, in any case of letters. */
const plainMonth = `jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`;
const wordMonth = `mar(?:ch)?|may`;
const anyMonth = `(?:${plainMonth}|${wordMonth})`;
/** Nobody's name, and no word: a month also without a word before it. */
const loneMonth = '(?:january|february|july|september|october|november|december)';

export function monthNumber(word: string): number {
  return monthNames.indexOf(word.slice(0, 3).toLowerCase());
}

/** `march 5 km`, `may 3 of us`: a month that is a word needs a capital, or what only a date has. */
function misfires(month: string, rest: boolean): boolean {
  return !rest && /^(?:mar|march|may)$/.test(month);
}

function dayIn(
  anchor: Anchor,
  month: number,
  date: number,
  yearWords: string | undefined,
  forward: boolean,
): LocalSpan | undefined {
  if (yearWords) return dayOf(Number(yearWords), month, date);
  return dayOf(guessYear(anchor, month, date, forward), month, date, false);
}

/** Times that a month names: with a day, with a year, or alone. */
export const englishMonths: readonly Rule[] = [
  {
    // May 7-9, 2023; 7 to 9 May
    pattern: new RegExp(
      String.raw`\b(?:(${anyMonth})\.? (\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|through) ?(\d{1,2})|(\d{1,2}) ?(?:-|–|to) ?(\d{1,2}) (${anyMonth}))(?:st|nd|rd|th)?\b(?:,? (${year})\b)?`,
      'gi',
    ),
    read: ([, m, a, b, c, d, n, y], anchor, { forward }) => {
      const name = (m ?? n)!;
      if (misfires(name, Boolean(y))) return undefined;
      const [month, from, to] = [monthNumber(name), Number(a ?? c), Number(b ?? d)];
      const [first, last] = [dayIn(anchor, month, from, y, forward), dayIn(anchor, month, to, y, forward)];
      return first && last && from < to ? { ...first, to: last.to } : undefined;
    },
  },
  {
    // between March and May 2022, from November to January
    pattern: new RegExp(
      String.raw`\b(?:between|from) (${anyMonth})(?: (${year}))? (?:and|to|until|till|through) (${anyMonth})(?: (${year}))?\b(?! \d)`,
      'gi',
    ),
    read: ([, one, oneYear, other, otherYear], anchor, { forward }) => {
      const [first, last] = [monthNumber(one!), monthNumber(other!)];
      const over = first > last ? 1 : 0;
      const end = otherYear ? Number(otherYear) : oneYear ? Number(oneYear) + over : yearAround(anchor, last, forward);
      const start = oneYear ? Number(oneYear) : end - over;
      const span = { from: midnight(start, first, 1), to: midnight(end, last + 1, 1) };
      return span.from < span.to ? { ...span, grain: 'month', exact: Boolean(oneYear ?? otherYear) } : undefined;
    },
    skip: ([whole]) => whole.indexOf(' ') + 1,
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\d.:])\b(?:the )?(\d{1,2})(st|nd|rd|th)?(?: of)? (${anyMonth})\b\.?(?:,? (${year})\b(?!:))?`,
      'gi',
    ),
    read: ([, d, suffix, month, y], anchor, { forward }) =>
      misfires(month!, Boolean(suffix ?? y)) ? undefined : dayIn(anchor, monthNumber(month!), Number(d), y, forward),
  },
  {
    pattern: new RegExp(
      String.raw`\b(${anyMonth})\.? (?:the )?(\d{1,2})(st|nd|rd|th)?(?![\d:%]|\.\d)(?:,? (${year})\b(?!:))?`,
      'gi',
    ),
    read: ([, month, d, suffix, y], anchor, { forward }) =>
      misfires(month!, Boolean(suffix ?? y)) ? undefined : dayIn(anchor, monthNumber(month!), Number(d), y, forward),
  },
  {
    pattern: new RegExp(String.raw`\b${partWords}(${anyMonth})\b\.?,?(?: of)? (${year})\b(?!-\d)`, 'gi'),
    read: ([, which, month, y]) => partOf(monthOf(Number(y), monthNumber(month!)), which?.replace(/^the /i, '')),
  },
  {
    pattern: new RegExp(
      String.raw`\b(last|this|next|in|since|until|till|by|during|before|after|through|of|from|early|mid|late|around)[ -](?:early |mid-? ?|late )?(${anyMonth})\b(?! \d)(?!['’]s)`,
      'gi',
    ),
    read: ([, word, month], anchor, { forward, before }) => {
      const which = word!.toLowerCase();
      // `this may be`, `by may`: in small letters only what a verb cannot follow.
      if (misfires(month!, /^(?:in|last|next|since|until|till)$/.test(which))) return undefined;
      if (which === 'of' && !/\b(?:beginning|end|start|middle|month|rest)\s$/i.test(before)) return undefined;
      if (which === 'from' && /^(?:april|june|may|august)$/i.test(month!)) return undefined;
      const number = monthNumber(month!);
      return monthWithout(anchor, number, which === 'next' || forward, which);
    },
    skip: ([whole, word]) => (/^(?:last|this|next)$/i.test(word!) ? 0 : whole.indexOf(word!) + word!.length + 1),
  },
  {
    pattern: new RegExp(String.raw`\b${loneMonth}\b(?! \d)`, 'gi'),
    read: ([month], anchor, { forward }) => monthWithout(anchor, monthNumber(month!), forward, ''),
  },
];

function monthWithout(anchor: Anchor, month: number, forward: boolean, which: string): LocalSpan {
  if (which === 'last') {
    const year = month < anchor.month ? anchor.year : anchor.year - 1;
    return monthOf(year, month);
  }
  if (which === 'this') return monthOf(anchor.year, month);
  if (which === 'next') return monthOf(month > anchor.month ? anchor.year : anchor.year + 1, month);
  return monthOf(yearAround(anchor, month, forward), month, false);
}

function yearAround(anchor: Anchor, month: number, forward: boolean): number {
  return forward ? guessYear(anchor, month, 1, true) : monthBehind(anchor, month);
}

/** The last such month that has begun. */
function monthBehind(anchor: Anchor, month: number): number {
  return month <= anchor.month ? anchor.year : anchor.year - 1;
}

import {
  type Anchor,
  dayOf,
  daysFrom,
  guessYear,
  type LocalSpan,
  midnight,
  monthOf,
  quarterOf,
  seasonBeside,
  seasonOf,
  yearOf,
} from './calendar.js';
import type { Rule } from './rule.js';

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Months that are no other word, in any case of letters. */
const plainMonth = String.raw`jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`;
const wordMonth = String.raw`mar(?:ch)?|may`;
const anyMonth = `(?:${plainMonth}|${wordMonth})`;
/** Nobody's name, and no word: a month also without a word before it. */
const loneMonth = '(?:january|february|july|september|october|november|december)';
const year = String.raw`(?:1[5-9]|20|21)\d\d`;
const seasons = ['spring', 'summer', 'autumn', 'winter'];
const seasonWords = 'spring|summer|autumn|fall|winter';

export function monthNumber(word: string): number {
  return monthNames.indexOf(word.slice(0, 3).toLowerCase());
}

function seasonNumber(word: string): number {
  return word.toLowerCase() === 'fall' ? 2 : seasons.indexOf(word.toLowerCase());
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

/** The part of a month that `early`, `mid` and `late` name. */
function partOf(span: LocalSpan, part: string | undefined): LocalSpan {
  if (!part) return span;
  const third = Math.round((span.to - span.from) / 3 / 86_400_000) * 86_400_000;
  const which = /^(?:early|begin|start)/i.test(part) ? 0 : /^mid/i.test(part) ? 1 : 2;
  const from = span.from + which * third;
  return { from, to: which === 2 ? span.to : from + third, grain: span.grain, exact: false };
}
const part = String.raw`(?:(early|mid|late|(?:the )?(?:beginning|start|middle|end) of)[ -](?:in )?)?`;

export const englishDates: readonly Rule[] = [
  {
    pattern:
      /(?<![\d.-])(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?(?![\d-])/g,
    read: ([, y, m, d, h, min, zone], anchor) => {
      const span = dayOf(Number(y), Number(m) - 1, Number(d));
      if (!span || h === undefined) return span;
      if (Number(h) > 23 || Number(min) > 59) return span;
      const from = span.from + (Number(h) * 60 + Number(min)) * 60_000 + (zone ? anchor.offset - zoneOffset(zone) : 0);
      return { from, to: from + 60_000, grain: 'minute', exact: true };
    },
  },
  {
    pattern: /(?<![\d./-])(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?![\d./-])/g,
    read: ([, y, m, d]) =>
      Number(y) >= 1500 && Number(y) < 2200 ? dayOf(Number(y), Number(m) - 1, Number(d)) : undefined,
  },
  {
    // 3/4/2023 is read as Americans write it, and is not exact; 13/4/2023 can only be a day before a month.
    pattern: /(?<![\d./-])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d./-])/g,
    read: ([, one, other, y]) => {
      const [first, second] = [Number(one), Number(other)];
      if (first > 12) return dayOf(Number(y), second - 1, first);
      return dayOf(Number(y), first - 1, second, second > 12 || first === second);
    },
  },
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
    pattern: new RegExp(String.raw`\b${part}(${anyMonth})\b\.?,?(?: of)? (${year})\b(?!-\d)`, 'gi'),
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
  {
    pattern: new RegExp(
      String.raw`\b(?:in|since|by|until|till|before|after|during|from|around|through|of|between|and|to|year|late|early|mid)[ -](${year})\b(?![-./:]?\d|%)(?! (?:people|users|lines|times|items|files|rows|words|tokens|dollars|euros|km|miles|meters|mb|gb|ms|points|steps|requests|bytes|messages))`,
      'gi',
    ),
    read: ([, y], _, { before, words }) => {
      // `and 2000`, `of 2000`, `to 2000`: years only beside another one.
      if (/^(?:and|to|of)\b/i.test(words)) {
        const near =
          /(?:(?:1[5-9]|20|21)\d\d|\b(?:end|beginning|start|spring|summer|autumn|fall|winter|half|class|rest|quarter)) $/i;
        if (!near.test(before)) return undefined;
      }
      return yearOf(Number(y));
    },
    skip: ([whole]) => whole.length - 4,
  },
  {
    pattern: /\bthe (?:(early|mid|late)[ -])?(?:((?:1[5-9]|20)\d)0|['’]?([2-9])0)['’]?s\b/g,
    read: ([, which, long, short]) => {
      const first = long ? Number(long) * 10 : 1900 + Number(short) * 10;
      const span: LocalSpan = {
        from: midnight(first, 0, 1),
        to: midnight(first + 10, 0, 1),
        grain: 'decade',
        exact: true,
      };
      return partOf(span, which);
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(last|this|next|in(?: the)?|during(?: the)?|since(?: the)?|the|early|late|mid) )?(${seasonWords})(?:(?: of|,)? (${year}))\b|\b(last|this|past|next|in(?: the)?|since(?: last)?) (${seasonWords})\b(?! (?:down|into|apart|asleep|behind|back|over|short|boot|of|in))`,
      'gi',
    ),
    read: ([, , named, y, word, bare], anchor, { forward }) => {
      if (named) return seasonOf(Number(y), seasonNumber(named));
      const which = /last|past/i.test(word!)
        ? 'last'
        : /next/i.test(word!) || forward
          ? 'next'
          : /this/i.test(word!)
            ? 'this'
            : 'last';
      return seasonBeside(anchor, seasonNumber(bare!), which);
    },
  },
  {
    pattern: new RegExp(String.raw`\bQ([1-4])(?:(?: of|,)? (${year})|['’](\d\d))?\b`, 'g'),
    read: ([, q, y, short], anchor, { forward }) => {
      if (y ?? short) return quarterOf(y ? Number(y) : 2000 + Number(short), Number(q) - 1);
      const guessed = guessYear(anchor, (Number(q) - 1) * 3, 1, forward);
      return { ...quarterOf(guessed, Number(q) - 1), exact: false };
    },
  },
  {
    pattern:
      /\bthe day (before yesterday|after tomorrow)\b|\b(yesterday|today|tomorrow|tonight)\b(?! night)|\b(last night|yesterday night|this morning|this afternoon|this evening|tomorrow night)\b/gi,
    read: ([, far, near, partial], anchor) => {
      if (far) return daysFrom(anchor, far.toLowerCase().startsWith('b') ? -2 : 2);
      const word = (near ?? partial)!.toLowerCase();
      const days = /^(?:yesterday|last)/.test(word) ? -1 : word.startsWith('tomorrow') ? 1 : 0;
      return daysFrom(anchor, days);
    },
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

function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0;
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(zone)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

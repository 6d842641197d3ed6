import {
  dayOf,
  daysFrom,
  guessYear,
  type LocalSpan,
  midnight,
  quarterOf,
  seasonBeside,
  seasonOf,
  yearOf,
} from './calendar.js';
import { englishMonths } from './english-months.js';
import { partOf, yearWords as year } from './english-parts.js';
import type { Rule } from './rule.js';

const seasons = ['spring', 'summer', 'autumn', 'winter'];
const seasonWords = 'spring|summer|autumn|fall|winter';

function seasonNumber(word: string): number {
  return word.toLowerCase() === 'fall' ? 2 : seasons.indexOf(word.toLowerCase());
}

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
  ...englishMonths,
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

function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0;
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(zone)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

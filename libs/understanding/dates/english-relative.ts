import { type Anchor, type LocalSpan, weekdayBeside, weekdayOf } from './calendar.js';
import { countOfEnglish, englishCount } from './numbers.js';
import type { Rule } from './rule.js';
import { beside, stretch, type Unit, unitsFrom } from './units.js';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const longWeekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const unit = String.raw`(minute|hour|day|week|weekend|month|quarter|year|decade)s?`;

export function weekdayNumber(word: string): number {
  return weekdays.indexOf(word.slice(0, 3).toLowerCase());
}

export const englishRelative: readonly Rule[] = [
  {
    pattern: new RegExp(
      String.raw`\b(${englishCount})[ -]${unit}(?: and a half)? (ago|back|from now|from today|hence)\b`,
      'gi',
    ),
    read: ([, count, name, way], anchor) => {
      const counted = countOfEnglish(count!);
      const back = /^(?:ago|back)$/i.test(way!);
      return counted && unitsFrom(anchor, counted.count * (back ? -1 : 1), unitOf(name!), counted.exact);
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:in|within|after)(?: the next| another)? (${englishCount})[ -]${unit}(?:['’]s?)?(?: time)?\b(?! (?:later|ago|before|after|old|of|or|from))`,
      'gi',
    ),
    read: ([, count, name], anchor, { words, forward }) => {
      // `within two hours it was done`, `in two years he learned`: ahead only where the sentence looks there.
      if (!forward || /^after/i.test(words)) return undefined;
      const counted = countOfEnglish(count!);
      return counted && unitsFrom(anchor, counted.count, unitOf(name!), counted.exact);
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:the |these )?(last|past|previous|next|coming) (${englishCount}) ${unit}\b`,
      'gi',
    ),
    read: ([, way, count, name], anchor) => {
      const counted = countOfEnglish(count!);
      return counted && stretch(anchor, counted.count * (/next|coming/i.test(way!) ? 1 : -1), unitOf(name!));
    },
  },
  {
    pattern: /\bthe (week|weekend|month|year) (before last|after next)\b/gi,
    read: ([, name, way], anchor) => beside(anchor, unitOf(name!), way!.toLowerCase().startsWith('before') ? -2 : 2),
  },
  {
    pattern:
      /\b(?:the )?(last|past|previous|this|this coming|this past|next|coming|upcoming) (week|weekend|month|quarter|year|decade)\b(?!['’]?s? of\b)/gi,
    read: ([, way, name], anchor, { before }) => {
      // `at last week`, no; `the last week of June` is a part of June.
      if (/\bat $/i.test(before)) return undefined;
      const steps = /^(?:last|past|previous|this past)$/i.test(way!)
        ? -1
        : /^(?:next|coming|upcoming)$/i.test(way!)
          ? 1
          : 0;
      return beside(anchor, unitOf(name!), steps);
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(this past|this coming|last|past|previous|this|next|coming|upcoming|on|by|until|till|since) )?(${longWeekday})\b`,
      'gi',
    ),
    read: ([, way, name], anchor, { forward, before }) =>
      /\b(?:every|each|on most|any|another) $/i.test(before)
        ? undefined
        : weekdaySpan(anchor, way, weekdayNumber(name!), forward),
    skip: skipPreposition,
  },
  {
    // Short forms are words, too (sat, sun, wed): only with a capital, and behind a word that a day follows.
    pattern:
      /\b([Ll]ast|[Tt]his|[Nn]ext|[Oo]n|[Bb]y|[Uu]ntil|[Ss]ince) (Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b(?! [A-Z])/g,
    read: ([, way, name], anchor, { forward }) => weekdaySpan(anchor, way, weekdayNumber(name!), forward),
    skip: skipPreposition,
  },
];

function unitOf(name: string): Unit {
  return name.toLowerCase() as Unit;
}

function skipPreposition([, way]: RegExpExecArray): number {
  return way && /^(?:on|by|until|till|since)$/i.test(way) ? way.length + 1 : 0;
}

/** `last Friday` is the one before today, `next Friday` that of the week to come, `this Friday` that of this week. */
function weekdaySpan(anchor: Anchor, way: string | undefined, weekday: number, forward: boolean): LocalSpan {
  switch (way?.toLowerCase()) {
    case 'last':
    case 'past':
    case 'previous':
    case 'this past':
      return weekdayBeside(anchor, weekday, false, true);
    case 'next':
      return weekdayOf(anchor, weekday, 1);
    case 'coming':
    case 'upcoming':
    case 'this coming':
      return weekdayBeside(anchor, weekday, true, true);
    case 'this':
      return weekdayOf(anchor, weekday, 0);
    case 'by':
    case 'until':
    case 'till':
      return weekdayBeside(anchor, weekday, true, false);
    default:
      return weekdayBeside(anchor, weekday, forward, false);
  }
}

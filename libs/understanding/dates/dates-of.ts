import { type Anchor, anchorOf, day, isoOf, type LocalSpan } from './calendar.js';
import { chineseDates } from './chinese-dates.js';
import { chineseRelative } from './chinese-relative.js';
import type { DatedSpan } from './dated.js';
import { englishDates } from './english-dates.js';
import { englishRelative, weekdayNumber } from './english-relative.js';
import { mayNameTime } from './mentions-time.js';
import type { Rule } from './rule.js';

const englishRules: readonly Rule[] = [...englishDates, ...englishRelative];
const chineseRules: readonly Rule[] = [...chineseDates, ...chineseRelative];
const hasHan = /[\u4e00-\u9fff]/;
const hasLatinOrDigit = /[A-Za-z\d]/;

/** A text names at most this many times. */
const mostDates = 128;
/** A text is read up to here, in characters. */
export const longestRead = 65_536;

/** A time found, with where its words are. */
export interface Found extends LocalSpan {
  readonly at: number;
  readonly end: number;
}

/**
 * The times that a text names, in the order of the text, made absolute from the moment it was said at.
 * @param options.at ISO 8601, in whose offset days begin and end; when it is no time, nothing relative can be told and nothing is found
 */
export function datesOf(text: string, options: { readonly at: string }): DatedSpan[] {
  const anchor = anchorOf(options.at);
  if (!anchor) return [];
  return findDates(text, anchor).map((found) => ({
    from: isoOf(anchor, found.from),
    to: isoOf(anchor, found.to),
    grain: found.grain,
    exact: found.exact,
    words: [found.at, found.end],
  }));
}

export function findDates(whole: string, anchor: Anchor): Found[] {
  const text = whole.length > longestRead ? whole.slice(0, longestRead) : whole;
  const found: Found[] = [];
  if (hasLatinOrDigit.test(text) && mayNameTime(text)) apply(englishRules, text, anchor, found);
  if (hasHan.test(text)) apply(chineseRules, text, anchor, found);
  const kept = withoutOverlaps(found).map((each) => beforeOrAfter(text, each));
  return withoutOverlaps(kept).slice(0, mostDates);
}

function apply(rules: readonly Rule[], text: string, anchor: Anchor, found: Found[]): void {
  for (const { pattern, read, skip } of rules) {
    pattern.lastIndex = 0;
    let count = 0;
    for (let match = pattern.exec(text); match && count < mostDates; match = pattern.exec(text)) {
      const [at, end] = [match.index, match.index + match[0].length];
      const before = text.slice(Math.max(0, at - 80), at);
      const behind = text.slice(end, end + 24);
      const span = read(match, anchor, {
        words: match[0],
        before,
        behind,
        forward: looksForward(before + match[0], behind),
      });
      if (span && inRange(span)) {
        found.push({ ...span, at: at + (skip?.(match) ?? leading(match[0])), end: at + match[0].trimEnd().length });
        count++;
      }
    }
  }
}

function leading(words: string): number {
  return words.length - words.trimStart().length;
}

/** What ISO 8601 writes with four digits. */
function inRange({ from, to }: LocalSpan): boolean {
  return from > -62_000_000_000_000 && to < 253_000_000_000_000;
}

const ahead =
  /\b(?:will|won't|going to|gonna|'ll|by|until|till|plan(?:s|ned|ning)? (?:to|for|on)|next|upcoming|coming up|due|deadline|scheduled|booked|looking forward|can't wait|about to|set to|hope to|hoping to|want to|need to|must|shall)\b|将|將|要在|打算|计划|計劃|准备|準備|预计|預計|截止|之前要|下次|即将|会在|會在|期待|等到/iu;
const aheadBehind =
  /^[^.!?。！？]{0,8}(?:will|is due|deadline|截止|之前(?:完成|交|提交|做完|上线)|前(?:完成|交|提交|做完|上线)|要[去交做开]|将|會|会[去有])/iu;
const sentenceEnd = /[.!?。！？\n](?=[^.!?。！？\n]*$)/u;

/** Whether the sentence speaks of what is to come, as far as its words around the time show. */
function looksForward(before: string, behind: string): boolean {
  const start = sentenceEnd.exec(before);
  return ahead.test(start ? before.slice(start.index + 1) : before) || aheadBehind.test(behind);
}

/** Of times whose words overlap the longest counts, of equally long ones the first. */
function withoutOverlaps(found: Found[]): Found[] {
  found.sort((one, other) => one.at - other.at || other.end - one.end);
  const kept: Found[] = [];
  for (const each of found) {
    const last = kept.at(-1);
    if (!last || each.at >= last.end) kept.push(each);
    else if (each.end - each.at > last.end - last.at) kept[kept.length - 1] = each;
  }
  return kept;
}

const beside =
  /\b(?:the )?(?:(day|night|evening|week|weekend|month|year)|((?:mon|tues|wednes|thurs|fri|satur|sun)day)) (before|after|of|prior to|following) (?:the )?$/i;
const lengths: Readonly<Record<string, number>> = { day: 1, night: 1, evening: 1, week: 7 };

/** `the week before 9 June`, `the Friday after 3 May`, `the weekend of 1 July`. */
function beforeOrAfter(text: string, found: Found): Found {
  const before = text.slice(Math.max(0, found.at - 32), found.at);
  const match = found.grain === 'day' ? beside.exec(before) : null;
  if (!match) return found;
  const [words, name, weekday, side] = match;
  const at = found.at - words.length;
  const way = side!.toLowerCase();
  const back = way === 'before' || way === 'prior to';
  const onDay = (new Date(found.from).getUTCDay() + 6) % 7;
  if (weekday || name?.toLowerCase() === 'weekend') {
    const number = weekday ? weekdayNumber(weekday) : 5;
    const length = weekday ? day : 2 * day;
    const apart =
      way === 'of' ? number - onDay : back ? -((onDay - number + 7) % 7 || 7) : (number - onDay + 7) % 7 || 7;
    const from = found.from + apart * day;
    return { ...found, from, to: from + length, grain: weekday ? 'day' : 'weekend', at };
  }
  const unit = name!.toLowerCase();
  const days = lengths[unit];
  if (way === 'of') {
    if (unit !== 'week') return found;
    const from = found.from - onDay * day;
    return { ...found, from, to: from + 7 * day, grain: 'week', at };
  }
  if (days !== undefined) {
    const from = back ? found.from - days * day : found.to;
    return { ...found, from, to: from + days * day, grain: days === 1 ? 'day' : 'week', at };
  }
  const start = new Date(found.from);
  const months = (unit === 'month' ? 1 : 12) * (back ? -1 : 1);
  const far = start.setUTCMonth(start.getUTCMonth() + months);
  const [from, to] = back ? [far, found.from] : [found.to, far + day];
  return { ...found, from, to, grain: unit === 'month' ? 'month' : 'year', exact: false, at };
}

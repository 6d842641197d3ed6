import {
  type Anchor,
  day,
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
import { chineseYear, countOfChinese } from './numbers.js';
import type { Rule } from './rule.js';

/** 1 to 31, in either writing. */
const small = '(?:\\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])';
const years = '(\\d{4}|[〇零一二三四五六七八九]{4}|\\d{2}(?=年))';
const nearYears: Readonly<Record<string, number>> = { 前: -2, 去: -1, 今: 0, 本: 0, 明: 1, 后: 2, 後: 2 };
const nearYear = '([前去今明后後本])年';
const seasonNames = '春夏秋冬';

function numberOf(words: string): number {
  return countOfChinese(words)?.count ?? Number.NaN;
}

function yearFrom(anchor: Anchor, absolute: string | undefined, near: string | undefined): number | undefined {
  if (near) return anchor.year + nearYears[near]!;
  return absolute ? chineseYear(absolute) : undefined;
}

function inYear(year: number, rest: RegExpExecArray, exact: boolean): LocalSpan | undefined {
  const { month, date, season, half, part, quarter } = rest.groups!;
  if (month) {
    const number = numberOf(month) - 1;
    if (date) return dayOf(year, number, numberOf(date), exact);
    return number >= 0 && number < 12 ? monthOf(year, number, exact) : undefined;
  }
  if (season) return seasonOf(year, seasonNames.indexOf(season));
  if (quarter) return quarterOf(year, numberOf(quarter) - 1);
  if (half) {
    const from = half === '上' ? 0 : 6;
    return { from: midnight(year, from, 1), to: midnight(year, from + 6, 1), grain: 'quarter', exact: true };
  }
  if (part) {
    const from = part === '初' ? 0 : part === '中' ? 4 : 10;
    return {
      from: midnight(year, from, 1),
      to: midnight(year, from + (part === '中' ? 4 : 2), 1),
      grain: 'month',
      exact: false,
    };
  }
  return yearOf(year, exact);
}

export const chineseDates: readonly Rule[] = [
  {
    // 2023年, 2023年5月, 2023年5月7日, 去年夏天, 今年上半年, 明年初
    pattern: new RegExp(
      `(?<![\\d〇零一二三四五六七八九])(?:${years}\\s?年|${nearYear})(?!前|之前|以前|后的|[级代纪龄薪会轻级])(?:的?\\s?(?:(?<month>${small})\\s?月(?:份)?(?:\\s?(?<date>${small})\\s?[日号號])?|(?<season>[春夏秋冬])[天季]?|(?<half>[上下])半年|(?:第)?(?<quarter>[一二三四1-4])季度|年?(?<part>[初中末底])(?!学|國|国)))?`,
      'gu',
    ),
    read: (match, anchor) => {
      const year = yearFrom(anchor, match[1], match[2]);
      return year === undefined ? undefined : inYear(year, match, true);
    },
  },
  {
    pattern: /([二三四五六七八九〇零\d]0|[二三四五六七八九]十)年代/gu,
    read: ([, words]) => {
      const tens = /\d/.test(words!) ? Number(words) : countOfChinese(words!)!.count;
      if (!Number.isInteger(tens)) return undefined;
      return { from: midnight(1900 + tens, 0, 1), to: midnight(1910 + tens, 0, 1), grain: 'decade', exact: true };
    },
  },
  {
    // 5月7日, 十二月三号
    pattern: new RegExp(
      `(?<![\\d年一二三四五六七八九十个個几幾])(?<month>${small})\\s?月(?:份)?\\s?(?<date>${small})\\s?[日号號]`,
      'gu',
    ),
    read: ({ groups }, anchor, { forward }) => {
      const [month, date] = [numberOf(groups!.month!) - 1, numberOf(groups!.date!)];
      return dayOf(guessYear(anchor, month, date, forward), month, date, false);
    },
  },
  {
    // 三月, 11月份: not 三个月; 一月 by itself may be a count (一月一次).
    pattern: new RegExp(
      `(?<![\\d年一二三四五六七八九十个個几幾上下这這本每半两兩])(${small})\\s?月份?(?!薪|球|亮|饼|刊|票|经|[一二三四五六七八九十\\d]{1,2}次|\\s?\\d)`,
      'gu',
    ),
    read: ([, words], anchor, { forward }) => {
      const month = numberOf(words!) - 1;
      if (!(month >= 0 && month < 12)) return undefined;
      const year = forward ? guessYear(anchor, month, 1, true) : month <= anchor.month ? anchor.year : anchor.year - 1;
      return monthOf(year, month, false);
    },
  },
  {
    // 上个月, 下个月3号, 上上个月, 这个月
    pattern: new RegExp(`(上上|下下|上|下|这|這|本)[个個]?月(?:份)?(?:(${small})[日号號]|(初|中旬|底|末))?`, 'gu'),
    read: ([, way, date, part], anchor) => {
      const month = anchor.month + steps(way!);
      if (date) {
        const first = new Date(midnight(anchor.year, month, 1));
        return dayOf(first.getUTCFullYear(), first.getUTCMonth(), numberOf(date));
      }
      const span = monthOf(anchor.year, month);
      if (!part) return span;
      const from = span.from + (part === '初' ? 0 : part === '中旬' ? 10 : 20) * day;
      return { from, to: part === '初' || part === '中旬' ? from + 10 * day : span.to, grain: 'month', exact: false };
    },
  },
  {
    pattern: /(大前天|大后天|大後天|前天|昨[天日晚夜]|今[天日晚早晨]|明[天日晚早]|[后後]天)(?!性|地|赋|賦|才)/gu,
    read: ([, words], anchor) => {
      const far = words!.startsWith('大') ? 1 : 0;
      const first = words![far]!;
      const near: Readonly<Record<string, number>> = { 前: -2, 昨: -1, 今: 0, 明: 1, 后: 2, 後: 2 };
      const days = near[first]!;
      return daysFrom(anchor, days + Math.sign(days) * far);
    },
  },
  {
    // 这个春天, 上个夏天
    pattern: /(上|下|这|這)[个個](春|夏|秋|冬)[天季]/gu,
    read: ([, way, season], anchor) =>
      seasonBeside(anchor, seasonNames.indexOf(season!), way === '上' ? 'last' : way === '下' ? 'next' : 'this'),
  },
];

/** 上 −1, 上上 −2, 下 1, 这 0. */
export function steps(way: string): number {
  if (way.startsWith('上')) return -way.length;
  return way.startsWith('下') ? way.length : 0;
}

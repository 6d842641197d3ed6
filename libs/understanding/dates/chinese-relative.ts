import {
  type Anchor,
  type LocalSpan,
  quarterOf,
  weekBeside,
  weekdayBeside,
  weekdayOf,
  weekendBeside,
} from './calendar.js';
import { steps } from './chinese-dates.js';
import { chineseCount, countOfChinese } from './numbers.js';
import type { Rule } from './rule.js';
import { stretch, type Unit, unitsFrom } from './units.js';

const weekdays: Readonly<Record<string, number>> = { 一: 0, 二: 1, 三: 2, 四: 3, 五: 4, 六: 5, 日: 6, 天: 6 };
const units: readonly (readonly [RegExp, Unit])[] = [
  [/^分/u, 'minute'],
  [/小时|小時|钟头/u, 'hour'],
  [/^[天日]/u, 'day'],
  [/周|星期|礼拜|禮拜|週/u, 'week'],
  [/月/u, 'month'],
  [/季/u, 'quarter'],
  [/年/u, 'year'],
];
const unitWords =
  '(分钟|分鐘|[个個]?小时|[个個]?小時|[个個]?钟头|天|日|周|週|[个個]?星期|[个個]?礼拜|[个個]?禮拜|[个個]月|[个個]?季度|年)';
const week = '(?:周|週|星期|礼拜|禮拜)';

export const chineseRelative: readonly Rule[] = [
  {
    // 三天前, 两周之前, 半年前, 三个月后, 两年半前 is left to 两年
    pattern: new RegExp(
      `(?<![第\\d\\.一二三四五六七八九十])(${chineseCount})(多|来)?\\s?${unitWords}(半|多)?(?:之|以)?([前后後])(?![面台端天来年期缀缘]|后)`,
      'gu',
    ),
    read: ([, count, more, name, half, way], anchor) => {
      const counted = countOfChinese(count!);
      if (!counted) return undefined;
      // 一分钟后恢复: counted from what was told, not from now.
      if (way !== '前' && /^(?:分|.?[小钟])/u.test(name!)) return undefined;
      const size = counted.count + (half === '半' ? 0.5 : 0);
      return unitsFrom(anchor, size * (way === '前' ? -1 : 1), unitOf(name!), counted.exact && !more && !half);
    },
  },
  {
    // 最近三个月, 过去两周, 近一年, 未来三天
    pattern: new RegExp(`(最近|过去|過去|近|未来|未來|接下来)的?(?:这|這)?(${chineseCount})\\s?${unitWords}`, 'gu'),
    read: ([, way, count, name], anchor) => {
      const counted = countOfChinese(count!);
      return counted && stretch(anchor, counted.count * (/^(?:未|接)/u.test(way!) ? 1 : -1), unitOf(name!));
    },
  },
  {
    // 上周三, 下下星期五, 这周末, 上周
    pattern: new RegExp(`(上上|下下|上|下|这|這|本)(?:[个個])?${week}([一二三四五六日天末])?(?![年期刊])`, 'gu'),
    read: ([, way, name], anchor) => {
      const weeks = steps(way!);
      if (!name) return weekBeside(anchor, weeks);
      return name === '末' ? weekendBeside(anchor, weeks) : weekdayOf(anchor, weekdays[name]!, weeks);
    },
  },
  {
    // 周三, 星期天, 周末: which one, the sentence says or nobody.
    pattern: new RegExp(
      `(?<![每两兩一二三四五六七八九十\\d上下这這本个個])${week}([一二三四五六日天末])(?![年鸣到至])`,
      'gu',
    ),
    read: ([, name], anchor, { forward }) =>
      name === '末' ? weekend(anchor, forward) : weekdayBeside(anchor, weekdays[name!]!, forward, false),
  },
  {
    pattern: /(上|这|這|本|下)[个個]?季度/gu,
    read: ([, way], anchor) => quarterOf(anchor.year, Math.floor(anchor.month / 3) + steps(way!)),
  },
];

function unitOf(words: string): Unit {
  return units.find(([form]) => form.test(words))![1];
}

function weekend(anchor: Anchor, forward: boolean): LocalSpan {
  return { ...weekendBeside(anchor, forward ? 0 : -1), exact: false };
}

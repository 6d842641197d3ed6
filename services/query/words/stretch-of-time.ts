import type { Language } from './language.js';

/** Milliseconds. */
export const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const units: readonly { readonly millis: number; readonly en: string; readonly zh: string }[] = [
  { millis: 365 * day, en: 'year', zh: '年' },
  { millis: 30 * day, en: 'month', zh: '个月' },
  { millis: 7 * day, en: 'week', zh: '周' },
  { millis: day, en: 'day', zh: '天' },
  { millis: hour, en: 'hour', zh: '小时' },
  { millis: minute, en: 'minute', zh: '分钟' },
];

/** A length of time as people say it, in its largest unit, rounded down: `2 weeks`, `3 个月`. */
export function lengthOfTime(millis: number, language: Language): string {
  const unit = units.find((each) => millis >= each.millis);
  if (!unit) return language === 'zh' ? '不到一分钟' : 'less than a minute';
  const count = Math.floor(millis / unit.millis);
  return language === 'zh' ? `${count} ${unit.zh}` : `${count} ${unit.en}${count === 1 ? '' : 's'}`;
}

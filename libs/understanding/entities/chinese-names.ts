import type { FoundRun } from './chinese-known.js';
import {
  beforeName,
  behindName,
  chineseRoles,
  chineseTitles,
  compoundSurnames,
  givenCharacters,
  noNames,
  surnames,
} from './data/chinese-names.js';

const bits = { surname: 1, given: 2, before: 4, behind: 8, titled: 16 } as const;
const classes = new Uint8Array(65_536);
mark(surnames, bits.surname);
mark(givenCharacters, bits.given);
mark(beforeName, bits.before);
mark(behindName, bits.behind);
for (const title of chineseTitles) mark(title[0]!, bits.titled);
function mark(characters: string, bit: number): void {
  for (const character of characters) classes[character.charCodeAt(0)]! |= bit;
}
const compound = new Set(compoundSurnames);
const roles = new Set(chineseRoles);
const titles = [...chineseTitles].sort((one, other) => other.length - one.length);
/** Before a surname these make a familiar name: 小王, 老李, 阿明. */
const familiar = '小老阿大';

/** Whether a name can begin with this unit: all others are passed over at once. */
export function mayBeginName(unit: number): boolean {
  return (classes[unit]! & bits.surname) !== 0 || unit === 0x5c0f || unit === 0x8001 || unit === 0x963f;
}

/**
 * The person's name that begins at `at` in a run of Han characters [start, end). Surnames are words, too, so a name needs its
 * boundaries: the run's ends, words that stand before and behind a person, or a title.
 * @param bounded whether another name ends at `at`
 */
export function chinesePerson(
  text: string,
  start: number,
  end: number,
  at: number,
  bounded: boolean,
): FoundRun | undefined {
  const bound = bounded || at === start || is(text, at - 1, bits.before) || follows(text, start, at);
  if (familiar.includes(text[at]!)) {
    const after = at + 2;
    const fits = after <= end && is(text, at + 1, bits.surname) && bound && isBehind(text, end, after);
    return fits && !noNames.has(text.slice(at + 1, at + 3)) ? { from: at, to: after, kind: 'person' } : undefined;
  }
  const length = compound.has(text.slice(at, at + 2)) && at + 2 < end ? 2 : 1;
  const surnameEnd = at + length;
  // 李经理, 王伟经理: a title needs no other boundary behind it.
  const title = titleAt(text, end, surnameEnd);
  if (title)
    return bound || length === 2 || (title > 1 && isPlainSurname(text, start, at))
      ? { from: at, to: surnameEnd + title, kind: 'person' }
      : undefined;
  if (!bound || noNames.has(text.slice(at, at + 2)) || !is(text, surnameEnd, bits.given) || surnameEnd >= end)
    return undefined;
  for (const given of [2, 1]) {
    const to = surnameEnd + given;
    if (to > end || (given === 2 && (!is(text, to - 1, bits.given) || adverbs.includes(text[to - 1]!)))) continue;
    const closed = isBehind(text, end, to) || titleAt(text, end, to) > 0;
    if (closed) return { from: at, to, kind: 'person' };
  }
  return undefined;
}

/** Characters of given names that behind a name are nearly always its sentence's: 赵磊刚从. */
const adverbs = '刚才正将就都也还不先再';

/** Surnames that end hardly any other word: before a title of two characters they need no boundary (联系李经理). */
const plainSurnames =
  '王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗梁宋郑谢韩唐冯董萧曹袁邓许傅沈彭吕苏卢蒋蔡贾魏薛叶潘杜钟汪姜谭廖邹張劉陳楊趙黃吳孫羅鄭謝韓馮蕭鄧許呂蘇盧蔣賈葉鍾譚鄒';

function isPlainSurname(text: string, start: number, at: number): boolean {
  // 上周老师说: a week.
  if (text[at] === '周' && at > start && '上这下每本几两'.includes(text[at - 1]!)) return false;
  return plainSurnames.includes(text[at]!);
}

function is(text: string, at: number, bit: number): boolean {
  return (classes[text.charCodeAt(at)]! & bit) !== 0;
}

function isBehind(text: string, end: number, at: number): boolean {
  return at >= end || is(text, at, bits.behind);
}

/** Whether a word for a person stands before: 同事王伟, 我妻子李娜. */
function follows(text: string, start: number, at: number): boolean {
  for (const length of [2, 3, 4]) if (at - length >= start && roles.has(text.slice(at - length, at))) return true;
  return false;
}

/** Length of the title at `at`, 0 when there is none. */
function titleAt(text: string, end: number, at: number): number {
  if (at >= end || !is(text, at, bits.titled)) return 0;
  const title = titles.find((each) => at + each.length <= end && text.startsWith(each, at));
  if (!title) return 0;
  return title.length > 1 || isBehind(text, end, at + 1) ? title.length : 0;
}

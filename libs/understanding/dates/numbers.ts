const english: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
};

/** A number and whether the words leave room. */
export interface Counted {
  readonly count: number;
  readonly exact: boolean;
}

export const englishCount = String.raw`(?:about |around |roughly |almost |over |more than |nearly )?(?:\d{1,4}|an?(?: few| couple(?: of)?)?|a couple|half an?|several|some|couple of|few|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty)`;

/** What `a few` and `several` stand for. */
export function countOfEnglish(words: string): Counted | undefined {
  const bare = words.toLowerCase().replace(/^(?:about|around|roughly|almost|over|more than|nearly) /, '');
  const exact = bare.length === words.length;
  if (/^\d+$/.test(bare)) return { count: Number(bare), exact };
  if (bare.startsWith('half')) return { count: 0.5, exact: false };
  if (/couple/.test(bare)) return { count: 2, exact: false };
  if (/few|some/.test(bare)) return { count: 3, exact: false };
  if (bare === 'several') return { count: 4, exact: false };
  const count = english[bare];
  return count === undefined ? undefined : { count, exact };
}

const digits: Readonly<Record<string, number>> = {
  〇: 0,
  零: 0,
  一: 1,
  二: 2,
  两: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};

export const chineseCount = String.raw`(?:\d{1,4}|半|十?[几幾]|[一二两兩三四五六七八九]?十?[一二两兩三四五六七八九]|[一二三四五六七八九]?十)`;

/** 十二, 二十, 三, 12, 半, 几. */
export function countOfChinese(words: string): Counted | undefined {
  if (/^\d+$/.test(words)) return { count: Number(words), exact: true };
  if (words === '半') return { count: 0.5, exact: false };
  if (/[几幾]/.test(words)) return { count: words.length > 1 ? 15 : 3, exact: false };
  const ten = words.indexOf('十');
  if (ten < 0) return words.length === 1 && words in digits ? { count: digits[words]!, exact: true } : undefined;
  const tens = ten === 0 ? 1 : digits[words.slice(0, ten)];
  const ones = ten === words.length - 1 ? 0 : digits[words.slice(ten + 1)];
  return tens === undefined || ones === undefined ? undefined : { count: tens * 10 + ones, exact: true };
}

/** 2023, 二〇二三; 二三 is 2023 too, 98 is 1998. */
export function chineseYear(words: string): number | undefined {
  let year = 0;
  for (const character of words) {
    const digit = digits[character] ?? Number(character);
    if (!Number.isInteger(digit)) return undefined;
    year = year * 10 + digit;
  }
  if (words.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return year >= 1000 && year < 2200 ? year : undefined;
}

import { script, scriptAt, widthAt } from '../terms/script.js';

/** By script alone: `en` is any text in Latin letters, `zh` Han without kana or Hangul; `other` has neither. */
export type Language = 'en' | 'zh' | 'mixed' | 'other';

/** Characters looked at: what a text is written in shows at its start, and a long one must not cost more. */
const looked = 2_000;
/** A word of one and a half Han characters counts as one word of Latin letters. */
const hanPerWord = 1.5;
/** Above this share of the words a text is of one language: a Chinese sentence may name one English tool. */
const plainShare = 0.8;

/** The language of a text by its script, in one pass over at most 2,000 characters. */
export function languageOf(text: string): Language {
  let han = 0;
  let latin = 0;
  let others = 0;
  let inWord = false;
  const end = Math.min(text.length, looked);
  for (let at = 0; at < end; at += widthAt(text, at)) {
    const kind = scriptAt(text, at);
    if (kind === script.han) han++;
    else if (kind === script.pairs) others++;
    else if (kind === script.letter && !inWord) {
      if (isLatin(text.charCodeAt(at))) latin++;
      else others++;
    }
    inWord = kind === script.letter || (inWord && kind === script.digit);
  }
  const words = han / hanPerWord;
  if (words + latin === 0 || others > words + latin || (others > 0 && others * 3 > han && latin === 0)) return 'other';
  const share = words / (words + latin);
  if (share >= plainShare) return 'zh';
  return share <= 1 - plainShare ? 'en' : 'mixed';
}

/** Basic Latin, its supplements and extensions, and full-width letters. */
function isLatin(unit: number): boolean {
  return unit < 0x250 || (unit >= 0x1e00 && unit < 0x1f00) || (unit >= 0xff21 && unit <= 0xff5a);
}

const ascii = /^[\0-\x7f]*$/;
// Reordering of combining marks is quadratic in a run of them: no real text has more than a few (UAX #15 stops at 30).
const longMarks = /(\p{M}{30})\p{M}+/gu;
const marks = /[\u0300-\u036f]/;
const latinMarks = /[\u0300-\u036f]+/g;
const unfoldable = /[ßøæœłđðþı]/g;
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** NFKC, so that full-width and half-width spellings are one. */
export function compatible(text: string): string {
  if (ascii.test(text)) return text;
  return text.replace(longMarks, '$1').normalize('NFKC');
}

/** Lower case without diacritics: café = cafe, Straße = strasse. Marks of scripts that need theirs stay. */
export function folded(word: string): string {
  const lower = word.toLowerCase();
  if (ascii.test(lower)) return lower;
  const spelledOut = lower.replace(unfoldable, (letter) => spelled[letter]!);
  const apart = spelledOut.normalize('NFD');
  return marks.test(apart) ? apart.replace(latinMarks, '').normalize('NFC') : spelledOut;
}

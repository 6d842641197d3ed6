/** What a character is to the cutter. */
export const script = { other: 0, letter: 1, digit: 2, han: 3, pairs: 4 } as const;
export type Script = (typeof script)[keyof typeof script];

const unknown = 255;
// Filled as characters are met: classifying all 65,536 at start would cost 10 ms.
const known = new Uint8Array(65_536).fill(unknown);

// Scripts written without spaces (kana, Thai, Lao, Khmer, Burmese) or with endings on words (Hangul) are cut into pairs.
const pairs =
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const han = /[\p{Script=Han}]/u;
const letter = /[\p{L}\p{M}]/u;
const digit = /\p{N}/u;
/** They say how the character before them is drawn, and count as marks, which letters take: so each heart would be a word with each sun. */
const variation = /\p{Variation_Selector}/u;
/** Below there are marks of text, which some draw as pictures: ©, ™, ↔. Skin tones are none by themselves. */
const firstEmoji = 0x2300;
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** Whether a picture stands at `index`, which is `other` to the cutter. */
export function isEmojiAt(text: string, index: number): boolean {
  return text.charCodeAt(index) >= firstEmoji && emoji.test(String.fromCodePoint(text.codePointAt(index)!));
}

/** Whether a text has a picture, whatever else it says. */
export function hasEmoji(text: string): boolean {
  for (let at = 0; at < text.length; at += widthAt(text, at)) if (isEmojiAt(text, at)) return true;
  return false;
}

/** Script of the code unit or surrogate pair at `index`; a lone surrogate is `other`. */
export function scriptAt(text: string, index: number): Script {
  const unit = text.charCodeAt(index);
  const seen = known[unit]!;
  if (seen !== unknown) return seen as Script;
  if (unit >= 0xd800 && unit <= 0xdfff) return classify(text.codePointAt(index)!);
  const found = classify(unit);
  known[unit] = found;
  return found;
}

/** Code units of the character at `index`: 1 or 2. */
export function widthAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return 1;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

function classify(codePoint: number): Script {
  const character = String.fromCodePoint(codePoint);
  if (han.test(character)) return script.han;
  if (pairs.test(character)) return script.pairs;
  if (letter.test(character)) return variation.test(character) ? script.other : script.letter;
  return digit.test(character) ? script.digit : script.other;
}

// Behind the mark may stand quotes, brackets, emoji and spaces; a run of them is looked at to a bound only.
const tail = 40;
const behind = /(?:[\s"'”’」』）)\]!！~～。.…]|\u200d|\ufe0f|\p{Extended_Pictographic}|\p{Emoji_Modifier})+$/u;
const asked = /[?？⸮吗嗎]$|(?<![什怎那这多要這])[么麼]$/u;

/** Whether a text ends as a question does: with a question mark, or with 吗. */
export function isQuestion(text: string): boolean {
  return asked.test(text.slice(-tail).replace(behind, ''));
}

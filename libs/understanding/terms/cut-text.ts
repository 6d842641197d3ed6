import { isEmojiAt, script, scriptAt, widthAt } from './script.js';

/** What the cutter hands on, in the order of the text. */
export interface Cuts {
  /** Letters and digits with the marks that join them. */
  word(chunk: string): void;
  han(run: string): void;
  /** Kana, Hangul and others that are cut into pairs. */
  pairs(run: string): void;
  /** One picture, without its skin tone; of a family each of its members; a flag whole. */
  emoji(picture: string): void;
}

/** Cuts a text (NFKC) into runs of one kind; everything else parts them. Linear in its length. */
export function cutText(text: string, cuts: Cuts): void {
  for (let at = 0; at < text.length; ) {
    const kind = scriptAt(text, at);
    if (kind === script.other) {
      const end = isEmojiAt(text, at) ? emojiEnd(text, at) : undefined;
      if (end !== undefined) cuts.emoji(text.slice(at, end));
      at = end ?? at + widthAt(text, at);
    } else if (kind === script.han || kind === script.pairs) {
      const end = runEnd(text, at, kind);
      cuts[kind === script.han ? 'han' : 'pairs'](text.slice(at, end));
      at = end;
    } else {
      const end = wordEnd(text, at);
      cuts.word(text.slice(at, end));
      at = end;
    }
  }
}

const flagPart = /^\p{Regional_Indicator}/u;

/** A flag is two letters of a country. */
function emojiEnd(text: string, start: number): number {
  const end = start + widthAt(text, start);
  const isFlag = flagPart.test(text.slice(start, end)) && flagPart.test(text.slice(end, end + 2));
  return isFlag ? end + widthAt(text, end) : end;
}

function runEnd(text: string, start: number, kind: number): number {
  let at = start;
  while (at < text.length && scriptAt(text, at) === kind) at += widthAt(text, at);
  return at;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (at < text.length && isWord(text, at)) at += widthAt(text, at);
    const next = at + joinLength(text, at);
    if (next === at) return at + suffixLength(text, start, at);
    at = next;
  }
}

function isWord(text: string, at: number): boolean {
  const kind = scriptAt(text, at);
  return kind === script.letter || kind === script.digit;
}

const joiners = new Set(['.', '_', '-', '/', '\\', ':', '@', "'", '’', '&']);

/** Length of the marks at `at` when they join what stands before them with a letter or digit right after; else 0. */
function joinLength(text: string, at: number): number {
  const mark = text[at];
  if (mark === undefined) return 0;
  if (mark === ',') return isThousands(text, at) ? 1 : 0;
  if (!joiners.has(mark)) return 0;
  const length = mark !== ':' ? 1 : text.startsWith('://', at) ? 3 : /[:\\]/.test(text[at + 1] ?? '') ? 2 : 1;
  return at + length < text.length && isWord(text, at + length) ? length : 0;
}

/** A comma between digits is a separator of thousands when exactly three digits follow. */
function isThousands(text: string, at: number): boolean {
  return /^\d,\d{3}(?!\d)$/.test(text.slice(at - 1, at + 4)) && !/\d/.test(text[at + 4] ?? '');
}

/** `C++`, `C#`, `F#`: names of which the marks are a part. */
function suffixLength(text: string, start: number, end: number): number {
  if (end - start > 2) return 0;
  const length = text.startsWith('++', end) ? 2 : text[end] === '#' ? 1 : 0;
  return length && !(end + length < text.length && isWord(text, end + length)) ? length : 0;
}

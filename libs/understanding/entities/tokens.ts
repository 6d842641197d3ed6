import { script, scriptAt, widthAt } from '../terms/script.js';

/** A stretch of letters and digits with the marks that join them, or a run of Han characters. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly han: boolean;
  /** Nothing before it in its sentence: a capital there says nothing. */
  readonly starts: boolean;
  /** Exactly one space lies between it and the token before. */
  readonly follows: boolean;
  /** Has a digit, or a mark that joins. */
  readonly compound: boolean;
}

const ends = new Set('.!?\n:;"“”‘「『(（[•*>。！？：；…—–|');
const joiners = new Set(['.', '_', '-', '/', '\\', ':', '@', "'", '’', '&']);
/** Behind these a full stop ends no sentence. */
const abbreviations = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'st', 'sr', 'jr', 'vs', 'etc', 'no', 'eg', 'ie']);

/** Cuts a text into tokens. Linear in its length; positions are those of the text as given. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let starts = true;
  let last = -2;
  for (let at = 0; at < text.length; ) {
    const kind = scriptAt(text, at);
    if (kind === script.other) {
      const mark = text[at]!;
      if (ends.has(mark) && !(mark === '.' && isAbbreviation(text, tokens.at(-1), at))) starts = true;
      at += widthAt(text, at);
      continue;
    }
    const from = at;
    const follows = from === last + 1 && text.charCodeAt(last) === 0x20;
    let compound = kind === script.digit;
    if (kind === script.han || kind === script.pairs) {
      while (at < text.length && scriptAt(text, at) === kind) at += widthAt(text, at);
    } else {
      for (let length = -1; length !== 0; at += length) {
        while (at < text.length) {
          const inner = scriptAt(text, at);
          if (inner === script.digit) compound = true;
          else if (inner !== script.letter) break;
          at += widthAt(text, at);
        }
        length = joinLength(text, at);
        if (length > 0) compound = true;
      }
    }
    if (kind !== script.pairs) tokens.push({ from, to: at, han: kind === script.han, starts, follows, compound });
    starts = false;
    last = at;
  }
  return tokens;
}

function isAbbreviation(text: string, before: Token | undefined, at: number): boolean {
  if (before?.to !== at || before.han) return false;
  const length = at - before.from;
  return length <= 4 && (length === 1 || abbreviations.has(text.slice(before.from, at).toLowerCase()));
}

/** Length of the marks at `at` when a letter or digit stands right after them; else 0. */
function joinLength(text: string, at: number): number {
  const mark = text[at];
  if (mark === undefined || !joiners.has(mark)) return 0;
  const length =
    mark === ':' ? (text.startsWith('://', at) ? 3 : text[at + 1] === ':' || text[at + 1] === '\\' ? 2 : 1) : 1;
  if (at + length >= text.length) return 0;
  const next = scriptAt(text, at + length);
  if (next === script.letter) return mark === ':' && length === 1 ? 0 : length;
  return next === script.digit ? length : 0;
}

import type { Entity } from '../entities/entity.js';

/** A text as the rules for relations see it. */
export interface Statement {
  readonly text: string;
  /** The same with A to Z in small letters and one form of apostrophe: of the same length. */
  readonly lower: string;
  /** Every mention, by where it begins. */
  readonly mentions: readonly Entity[];
  readonly speaker: string | undefined;
}

/** One side of a relation: the folded name and where its words are. */
export interface Side {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Clauses are looked at so far, in characters. */
const reach = 120;
const clauseMarks = new Set('.!?;\n,，。！？；：:（）()“”"「」、');
const sentenceMarks = new Set('.!?\n。！？');

/** Where the clause begins that ends at `end`. A full stop within a word (v2.3, main.ts) parts nothing. */
export function clauseStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < reach && !parts(text, at - 1)) at--;
  return at;
}

export function clauseEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start < reach && !parts(text, at)) at++;
  return at;
}

function parts(text: string, at: number): boolean {
  const mark = text[at]!;
  if (!clauseMarks.has(mark)) return false;
  return !'.,:'.includes(mark) || !/[^\s]/.test(text[at + 1] ?? '') || !/[\w]/.test(text[at + 1]!);
}

/** Whether the sentence around `at` asks. */
export function asks(text: string, at: number): boolean {
  for (let index = at; index < text.length && index - at < 300; index++) {
    const mark = text[index]!;
    if (mark === '?' || mark === '？') return true;
    if (sentenceMarks.has(mark) && !(mark === '.' && /\w/.test(text[index + 1] ?? ''))) return false;
  }
  return false;
}

/** Whether a sentence ends between two positions. */
export function parted(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    if (sentenceMarks.has(text[index]!) && !(text[index] === '.' && /\w/.test(text[index + 1] ?? ''))) return true;
  }
  return false;
}

/** The mentions that lie within [from, to), the ones that begin first before the others. */
export function mentionsWithin({ mentions }: Statement, from: number, to: number): Entity[] {
  let low = 0;
  let high = mentions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (mentions[middle]!.words[0] < from) low = middle + 1;
    else high = middle;
  }
  const found: Entity[] = [];
  for (let index = low; index < mentions.length && mentions[index]!.words[0] < to; index++)
    if (mentions[index]!.words[1] <= to) found.push(mentions[index]!);
  return found;
}

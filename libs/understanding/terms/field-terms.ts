import { compatible, folded } from './fold.js';

/** Where in a memory a term stands: in its key, in one of its tags, as the name of something, or at the beginning of a word. */
export type TermField = 'key' | 'tag' | 'entity' | 'prefix';

/** What postings know a term of a field by, before it is hashed. No term of a text holds NUL, so none of them is met. */
export function fieldTerm(field: TermField, term: string): string {
  return `${field}\0${term}`;
}

/** What a speaker is hashed by. No posting has it: it stands in a column of its own. */
export function speakerTerm(folded: string): string {
  return `speaker\0${folded}`;
}

/** Letters that two words share when one is part of the other. */
export const prefixLength = 5;

/** Longer than this it is data, not a word. */
const longestPlain = 48;
const plainWord = /^[a-z]{5,48}$/;

/** The beginning that a term is asked for by, as a part of other words; undefined where it is too short, or no plain Latin word. */
export function prefixOf(term: string): string | undefined {
  return plainWord.test(term) ? term.slice(0, prefixLength) : undefined;
}

const cacheSize = 16_384;
let recent = new Map<string, string>();
let older: typeof recent = new Map();

/**
 * The field term that a word's beginning is posted by; '' where there is none. A word no longer than that is found as itself. Remembered: text is
 * made of the same words.
 */
export function prefixTermOf(term: string): string {
  const known = recent.get(term) ?? older.get(term);
  if (known !== undefined) return known;
  const prefix = term.length > prefixLength ? prefixOf(term) : undefined;
  const made = prefix === undefined ? '' : fieldTerm('prefix', prefix);
  if (term.length > longestPlain) return made;
  if (recent.size >= cacheSize / 2) {
    older = recent;
    recent = new Map();
  }
  recent.set(term, made);
  return made;
}

const han = /\p{Script=Han}/u;
const titles = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'sir']);

/**
 * A name as speakers are told apart by: of a Latin one the first name, folded; a Han one whole. Undefined of what holds no letter.
 * Somebody is called `Ann` in a question and `Ann Lee` in a transcript.
 */
export function foldedSpeaker(name: string): string | undefined {
  const plain = compatible(name.slice(0, 80)).trim();
  if (han.test(plain)) return plain.replace(/\s+/g, '').toLowerCase();
  const words = plain.split(/[\s,]+/).map((word) => folded(word).replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
  return words.find((word) => word !== '' && !titles.has(word)) || undefined;
}

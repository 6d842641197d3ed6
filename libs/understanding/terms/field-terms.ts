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

const plainWord = /^[a-z]{5,48}$/;

/** The beginning that a term is asked for by, as a part of other words; undefined where it is too short, or no plain Latin word. */
export function prefixOf(term: string): string | undefined {
  return plainWord.test(term) ? term.slice(0, prefixLength) : undefined;
}

/** The field term that a word's beginning is posted by; undefined where there is none. A word no longer than that is found as itself. */
export function prefixTermOf(term: string): string | undefined {
  if (term.length <= prefixLength) return undefined;
  const prefix = prefixOf(term);
  return prefix === undefined ? undefined : fieldTerm('prefix', prefix);
}

const han = /\p{Script=Han}/u;
const oneWord = /^[A-Za-z]{1,80}$/;
const titles = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'sir']);

/**
 * A name as speakers are told apart by: of a Latin one the first name, folded; a Han one whole. Undefined of what holds no letter.
 * Somebody is called `Ann` in a question and `Ann Lee` in a transcript.
 */
export function foldedSpeaker(name: string): string | undefined {
  // Most are one plain word, which needs no more than this.
  if (oneWord.test(name) && !titles.has(name.toLowerCase())) return name.toLowerCase();
  const plain = compatible(name.slice(0, 80)).trim();
  if (han.test(plain)) return plain.replace(/\s+/g, '').toLowerCase();
  const words = plain.split(/[\s,]+/).map((word) => folded(word).replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
  return words.find((word) => word !== '' && !titles.has(word)) || undefined;
}

import type { Columns } from '../../bank-index/columns.js';
import type { TermPostings } from '../../bank-index/term-postings.js';

/** Where words of a question occur in keys and in tags: one for each word. */
export interface AskedSlots {
  /** Of all its words, and of the telling ones. */
  readonly words: readonly TermPostings[];
  readonly keys: readonly TermPostings[];
  readonly tags: readonly TermPostings[];
}

/**
 * Chance to help of a memory that the question names: no other measure says more of it. By time, where it asks for whatever there is of a time
 * or within a filter.
 */
export const namedChances = { key: 0.9, tags: 0.6, time: 0.6 } as const;
export type NamedBy = keyof typeof namedChances;

/** A key has its compound as a term beside its parts (`wifi.password`, `wifi`, `password`): a question mostly has the parts. */
const compoundFrom = 3;
/** So much of the question has to be about the key. Of a key of one word more: `name` is in many a question. */
const aboutKey = { oneWord: 2 / 3, more: 1 / 2 };

/**
 * Memories that a question asks for by name: it has the whole of a key, and little else to tell; or it has nothing to tell but words of
 * a memory's tags.
 */
export function slotScores(
  { words, keys, tags }: AskedSlots,
  { keyLength }: Pick<Columns, 'keyLength'>,
): ReadonlyMap<number, NamedBy> {
  const named = new Map<number, NamedBy>();
  for (const [doc, count] of occurrences(tags)) if (count === tags.length) named.set(doc, 'tags');
  const telling = occurrences(keys);
  if (telling.size === 0) return named;
  const all = occurrences(words);
  for (const [doc, count] of telling) {
    const length = keyLength[doc]!;
    const needed = length >= compoundFrom ? length - 1 : length;
    const about = length >= compoundFrom ? aboutKey.more : aboutKey.oneWord;
    if (length > 0 && all.get(doc)! >= needed && count >= about * keys.length) named.set(doc, 'key');
  }
  return named;
}

function occurrences(postings: readonly TermPostings[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { docs } of postings) for (const doc of docs) counts.set(doc, (counts.get(doc) ?? 0) + 1);
  return counts;
}

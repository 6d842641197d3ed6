import { fieldTerm, prefixOf, type TermField } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { ViewsReader } from '#views/reader.js';
import type { TermPostings, TermReader } from './term-postings.js';

/** Where postings are read from: one bank, as one question sees it. */
export interface FieldSource {
  readonly terms: TermReader;
  readonly reader: ViewsReader;
  readonly indexKey: Uint8Array;
  /** Docs that count: nothing of those from this number on. */
  readonly docs: number;
}

/**
 * In which docs each of the terms stands in a field, in the order asked for.
 * @param terms for `key` and `tag` as a question is cut into them; for `entity` folded names (`foldName`); for `prefix` terms too: words that
 * share their first five letters with it, the word itself left out when it is no longer than that (a leg of words has it)
 */
export async function fieldPostings(
  { terms: kept, reader, indexKey, docs }: FieldSource,
  field: TermField,
  terms: readonly string[],
): Promise<TermPostings[]> {
  if (field !== 'prefix') {
    const hashes = terms.map((term) => termHash(indexKey, fieldTerm(field, term)));
    return kept.read(reader, hashes, docs);
  }
  const asked = terms.map((term) => prefixHashes(indexKey, term));
  const read = await kept.read(reader, [...new Set(asked.flat())], docs);
  const found = new Map([...new Set(asked.flat())].map((hash, index) => [hash, read[index]!]));
  return asked.map((hashes) => hashes.map((hash) => found.get(hash)!).reduce(merged, nowhere));
}

/** Postings of names by their keyed hashes (`entityNumbers.hash`): from one memory to others that are about the same. */
export function entityPostings(
  { terms, reader, docs }: Omit<FieldSource, 'indexKey'>,
  hashes: readonly string[],
): Promise<TermPostings[]> {
  return terms.read(reader, hashes, docs);
}

/** A longer word is also part of one that is all of its beginning, which is posted as the word that it is. */
function prefixHashes(indexKey: Uint8Array, term: string): string[] {
  const prefix = prefixOf(term);
  if (prefix === undefined) return [];
  const posted = termHash(indexKey, fieldTerm('prefix', prefix));
  return prefix === term ? [posted] : [posted, termHash(indexKey, prefix)];
}

const nowhere: TermPostings = { docs: new Int32Array(0), counts: new Uint16Array(0) };

/** Of two terms as if they were one: ascending, counts added up. */
export function merged(one: TermPostings, other: TermPostings): TermPostings {
  if (one.docs.length === 0) return other;
  if (other.docs.length === 0) return one;
  const docs = new Int32Array(one.docs.length + other.docs.length);
  const counts = new Uint16Array(docs.length);
  let length = 0;
  for (let left = 0, right = 0; left < one.docs.length || right < other.docs.length; length++) {
    const doc = Math.min(one.docs[left] ?? Infinity, other.docs[right] ?? Infinity);
    let count = 0;
    if (one.docs[left] === doc) count += one.counts[left++]!;
    if (other.docs[right] === doc) count += other.counts[right++]!;
    docs[length] = doc;
    counts[length] = Math.min(count, 0xffff);
  }
  return { docs: docs.slice(0, length), counts: counts.slice(0, length) };
}

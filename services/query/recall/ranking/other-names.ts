import { namesOfGroups } from '#understanding/entities/name-groups.js';
import { analyseQuestion } from '#understanding/terms/analyse-question.js';
import { fieldTerm } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { TermPostings } from '../../bank-index/term-postings.js';
import type { View } from '../../basis/open-view.js';
import type { AskedName } from './question.js';
import type { HashedTerm } from './read-terms.js';

/** What other names, given for a bank, add to a question: where its names stand otherwise, and whom it names. */
export interface OtherNames {
  /** The terms of the question; those of a name also occur where another name of the same stands. */
  readonly terms: readonly HashedTerm[];
  readonly entities: readonly AskedName[];
}

/**
 * Takes a memory that calls somebody otherwise for one that calls them as the question does, in words and names alike: where an admin has said
 * so (`bank configure --names`), and nowhere else. A name of one group alone counts as a name, too, where the rules would not see one.
 */
export async function withOtherNames(
  query: string,
  { terms, entities }: OtherNames,
  { keys, index, reader, inForce }: Pick<View, 'keys' | 'index' | 'reader' | 'inForce'>,
): Promise<OtherNames> {
  const named = inForce.names.length > 0 ? namesOfGroups(query, inForce.names) : [];
  if (named.length === 0) return { terms, entities };
  const { indexKey } = keys;
  const read = (hashes: readonly string[]) => index.terms.read(reader, hashes, index.columns.docs);
  /** Docs that have all terms of a name. */
  const naming = async (name: string): Promise<Int32Array> =>
    inAll(await read([...analyseQuestion(name).counts.keys()].map((term) => termHash(indexKey, term))));
  const own = [...terms];
  const people = [...entities];
  for (const { name, others } of named) {
    const otherwise = (await Promise.all(others.map(naming))).reduce(joined, new Int32Array(0));
    const ofName = new Set(analyseQuestion(name).counts.keys());
    for (const [at, term] of own.entries())
      if (ofName.has(term.term)) own[at] = { ...term, postings: withDocs(term.postings, otherwise) };
    for (const each of [name, ...others]) {
      const hash = termHash(indexKey, fieldTerm('entity', each));
      const number = index.columns.entityNumbers.get(hash);
      if (number !== undefined && people.some((one) => one.number === number)) continue;
      const [postings] = await read([hash]);
      people.push({ postings: withDocs(postings!, await naming(each)), number });
    }
  }
  return { terms: own, entities: people };
}

/** Docs that all of them have, ascending. */
function inAll(postings: readonly TermPostings[]): Int32Array {
  const [first, ...rest] = postings;
  if (!first) return new Int32Array(0);
  const sets = rest.map(({ docs }) => new Set(docs));
  return first.docs.filter((doc) => sets.every((docs) => docs.has(doc)));
}

function joined(one: Int32Array, other: Int32Array): Int32Array {
  return Int32Array.from(new Set([...one, ...other])).sort();
}

/** The same with further docs, in which it counts once. */
function withDocs(postings: TermPostings, more: Int32Array): TermPostings {
  const times = new Map<number, number>();
  for (const doc of more) times.set(doc, 1);
  for (const [at, doc] of postings.docs.entries()) times.set(doc, postings.counts[at]!);
  const docs = Int32Array.from(times.keys()).sort();
  return { docs, counts: Uint16Array.from(docs, (doc) => times.get(doc)!) };
}

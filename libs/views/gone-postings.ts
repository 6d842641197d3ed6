import { blockOf } from './postings.js';
import { termDigits } from './purge.js';

/** Docs that go out of one block of a term. */
export interface GonePostings {
  readonly bank: string;
  /** hex */
  readonly term: string;
  readonly block: number;
  readonly docs: ReadonlySet<number>;
}

/** By block of a term, so that each is read and written once, in the order of the postings' key. */
export function gonePostings(
  found: readonly {
    readonly bank: string;
    readonly doc: number /** hex, one behind the other */;
    readonly terms: string;
  }[],
): GonePostings[] {
  const blocks = new Map<string, { bank: string; term: string; block: number; docs: Set<number> }>();
  for (const { bank, doc, terms } of found) {
    const block = blockOf(doc);
    for (let at = 0; at < terms.length; at += termDigits) {
      const term = terms.slice(at, at + termDigits);
      const key = `${bank} ${term} ${String(block).padStart(8, '0')}`;
      const known = blocks.get(key);
      if (known) known.docs.add(doc);
      else blocks.set(key, { bank, term, block, docs: new Set([doc]) });
    }
  }
  return [...blocks.keys()].sort().map((key) => blocks.get(key)!);
}

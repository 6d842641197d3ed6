import { lowerBound, type TermPostings } from '../../bank-index/term-postings.js';

/** Whether a term occurs in a doc. */
export function occursIn({ docs }: TermPostings, doc: number): boolean {
  return docs[lowerBound(docs, doc)] === doc;
}

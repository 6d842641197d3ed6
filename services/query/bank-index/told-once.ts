import type { Columns } from './columns.js';
import type { TermPostings } from './term-postings.js';
import type { Visibility } from './visibility.js';

/** What follows from how a bank stands at a basis, told once for as long as it is asked at that basis. */
export function toldOnce<T>(
  tell: (columns: Columns, basis: Visibility) => T,
): (columns: Columns, basis: Visibility) => T {
  const told = new WeakMap<Visibility, { readonly is: T }>();
  return (columns, basis) => {
    const known = told.get(basis);
    if (known) return known.is;
    const is = tell(columns, basis);
    told.set(basis, { is });
    return is;
  };
}

/** The same of where a term occurs: docs that came after the basis count for nothing, so they need not be told apart. */
export function toldOncePerTerm<T>(
  tell: (columns: Columns, basis: Visibility, postings: TermPostings) => T,
): (columns: Columns, basis: Visibility, postings: TermPostings) => T {
  const told = toldOnce(() => new WeakMap<TermPostings, { readonly is: T }>());
  return (columns, basis, postings) => {
    const ofBasis = told(columns, basis);
    const known = ofBasis.get(postings);
    if (known) return known.is;
    const is = tell(columns, basis, postings);
    ofBasis.set(postings, { is });
    return is;
  };
}

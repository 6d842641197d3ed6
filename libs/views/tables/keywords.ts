import { table } from '../table.js';

/** What of a version the index needs in memory. */
export const docsTable = table({
  name: 'docs',
  columns: {
    bank: 'bank',
    doc: 'integer',
    memory_id: 'text',
    version: 'integer',
    length: 'integer',
    /** Milliseconds; unset when it never expires. */
    expires_at: 'integer?',
    kind: 'text',
  },
  key: ['bank', 'doc'],
});

/** Packed postings (postings.ts) of a term for the docs of a block. */
export const postingsTable = table({
  name: 'postings',
  columns: { bank: 'bank', term: 'hex', block: 'integer', bytes: 'blob' },
  key: ['bank', 'term', 'block'],
  appended: { blob: 'bytes', by: 'term' },
});

export const keywordsShape = { name: 'keywords', version: 1, tables: [docsTable, postingsTable] } as const;

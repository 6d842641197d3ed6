import { termPipelineVersion } from '#understanding/terms/terms.js';
import { understandingVersion } from '#understanding/understanding-version.js';
import { table } from '../table.js';
import type { ProjectionShape } from '../views.js';

/** What of a version the index needs in memory. What is drawn from its content is blank once that was erased. */
export const docsTable = table({
  name: 'docs',
  columns: {
    bank: 'bank',
    doc: 'integer',
    memory_id: 'text',
    version: 'integer',
    /** Number of terms; 0 of what was erased. */
    length: 'integer',
    /** Milliseconds; unset when it never expires, and of what was erased. */
    expires_at: 'integer?',
    kind: 'text',
    origin: 'text',
    session_id: 'text?',
    /** When it happened, else when it was recorded; milliseconds. */
    happened_at: 'integer',
    /** Keyed hash of who says it. */
    speaker: 'hex?',
    /** Bits of `docFlags`. */
    flags: 'integer',
    /** As they were written. */
    importance: 'real?',
    confidence: 'real?',
    trust: 'real?',
    /** Keyed hashes of the names that it is about, one behind the other. */
    entities: 'hex?',
    /** Distinct terms of its key. */
    key_length: 'integer',
  },
  key: ['bank', 'doc'],
  indexes: [{ columns: ['bank', 'memory_id'] }],
});

/** Packed postings (postings.ts) of a term for the docs of a block. */
export const postingsTable = table({
  name: 'postings',
  columns: { bank: 'bank', term: 'hex', block: 'integer', bytes: 'blob' },
  key: ['bank', 'term', 'block'],
  appended: { blob: 'bytes', by: 'term' },
});

/**
 * The terms of each doc (of its fields too), one behind the other: which blocks a doc's postings stand in, for when they have to go. Looking through all
 * blocks instead took a second per 100,000 memories, for each batch with an erasure in it.
 */
export const docTermsTable = table({
  name: 'doc_terms',
  columns: { bank: 'bank', doc: 'integer', terms: 'hex' },
  key: ['bank', 'doc'],
});

/** By keyed hash. Here and not beside the versions, since tags are content: whoever builds those alone need not open anything. */
export const versionTagsTable = table({
  name: 'version_tags',
  columns: { bank: 'bank', tag_hash: 'hex', doc: 'integer' },
  key: ['bank', 'tag_hash', 'doc'],
  indexes: [{ columns: ['bank', 'doc'] }],
});

const docs = { table: docsTable, until: { column: 'doc', bound: 'doc' } } as const;

/** Of the tables; another one cannot be read any more. */
const layout = 3;
/** Room in a version for what is below it: layout, text pipeline, rules that find names and times. */
const below = 1_000;
const oldest = layout * below * below;

/** Another text pipeline gives other terms, other rules give other names: then it is built anew by itself, and the former answers meanwhile. */
export const keywordsShape = {
  name: 'keywords',
  version: oldest + termPipelineVersion * below + understandingVersion,
  readableFrom: oldest,
  tables: [docsTable, postingsTable, docTermsTable, versionTagsTable],
  purge: [
    { do: 'unpost', postings: postingsTable, terms: docTermsTable, docs },
    { do: 'remove', table: docTermsTable, through: docs, on: 'doc' },
    { do: 'remove', table: versionTagsTable, through: docs, on: 'doc' },
    {
      do: 'blank',
      ...docs,
      set: { length: 0, expires_at: null, speaker: null, flags: 0, entities: null, key_length: 0 },
    },
  ],
} as const satisfies ProjectionShape;

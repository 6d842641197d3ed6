import type { PostingBlock, ViewsReader } from '../../reader.js';
import type { Store } from '../store.js';
import { docReader } from './docs.js';
import { docsWhere } from './docs-where.js';
import { erasureReader } from './erasures.js';
import { findingReader } from './findings.js';
import { historyReader } from './history.js';
import { memoryReader } from './memories.js';
import { momentReader } from './moments.js';
import { postings } from './postings.js';
import { ratingReader } from './ratings.js';
import { recallReader } from './recalls.js';
import { createTables, type Filling } from './tables.js';
import { vectorReader } from './vectors.js';

/** Reads of the generations in use. */
export function createSqliteReader(store: Store, filling: Filling): ViewsReader {
  const tables = createTables(store, filling);
  return {
    ...momentReader(tables),
    ...memoryReader(tables),
    ...historyReader(tables),
    ...docReader(tables),
    ...erasureReader(tables),
    ...findingReader(tables),
    ...ratingReader(tables),
    ...recallReader(tables),
    ...vectorReader(tables),
    docsWhere: (bank, filter) => tables.read(bank, (view) => docsWhere(view, filter), []),
    postings: (bank, terms, fromBlock = 0) =>
      tables.read<Map<string, PostingBlock[]>>(bank, (view) => postings(view, terms, fromBlock), new Map()),
  };
}

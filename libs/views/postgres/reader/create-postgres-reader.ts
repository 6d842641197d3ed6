import type { PostingBlock, ViewsReader } from '../../reader.js';
import type { PostgresStore } from '../store.js';
import { createBanks } from './bank-view.js';
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
import { vectorReader } from './vectors.js';

/**
 * Reads of the generations in use, each in a transaction that names its bank: in every statement, and again for row-level security. What
 * a projection shows beyond what all have passed is not shown, or is of docs that no question at such a moment comes to.
 * @param refill called before a read that found no views is tried again
 */
export function createPostgresReader(
  store: PostgresStore,
  refill: () => Promise<void> = async () => undefined,
): ViewsReader {
  const banks = createBanks(store, refill);
  return {
    ...momentReader(banks),
    ...memoryReader(banks),
    ...historyReader(banks),
    ...docReader(banks),
    ...erasureReader(banks),
    ...findingReader(banks),
    ...ratingReader(banks),
    ...recallReader(banks),
    ...vectorReader(banks),
    docsWhere: (bank, filter) => banks.read(bank, (view) => docsWhere(view, filter), []),
    postings: (bank, terms, fromBlock = 0) =>
      banks.read<Map<string, PostingBlock[]>>(bank, (view) => postings(view, terms, fromBlock), new Map()),
  };
}

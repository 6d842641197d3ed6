import type { PostingBlock } from '../../reader.js';
import type { BankView } from './tables.js';

export function postings(
  { bank, arrays }: BankView,
  terms: readonly string[],
  fromBlock: number,
): Map<string, PostingBlock[]> {
  const select = arrays(
    'SELECT block, bytes FROM {postings} WHERE bank = ? AND term = ? AND block >= ? ORDER BY block',
  );
  const found = new Map<string, PostingBlock[]>();
  for (const term of terms) {
    const rows = select.all(bank, Buffer.from(term, 'hex'), fromBlock) as [number, Uint8Array][];
    if (rows.length)
      found.set(
        term,
        rows.map(([block, bytes]) => ({ block, bytes })),
      );
  }
  return found;
}

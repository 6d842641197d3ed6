import type { PostingBlock } from '../../reader.js';
import type { BankView } from './bank-view.js';

export async function postings(
  view: BankView,
  terms: readonly string[],
  fromBlock: number,
): Promise<Map<string, PostingBlock[]>> {
  const found = new Map<string, PostingBlock[]>();
  if (terms.length === 0) return found;
  const rows = await view.arrays<[Buffer, number, Buffer]>(
    'SELECT term, block, bytes FROM {postings} WHERE bank = $1 AND term = ANY($2::bytea[]) AND block >= $3 ORDER BY term, block',
    terms.map((term) => Buffer.from(term, 'hex')),
    fromBlock,
  );
  for (const [hash, block, bytes] of rows) {
    const term = hash.toString('hex');
    const blocks = found.get(term);
    if (blocks) blocks.push({ block, bytes });
    else found.set(term, [{ block, bytes }]);
  }
  return found;
}

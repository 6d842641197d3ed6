import { blockOf, docsPerBlock, eachPosting } from '#views/postings.js';
import type { PostingBlock, ViewsReader } from '#views/reader.js';

/** In which docs a term occurs, ascending, and how often. */
export interface TermPostings {
  readonly docs: Int32Array;
  readonly counts: Uint16Array;
}

interface Kept extends TermPostings {
  /** All docs below this number are in. */
  readonly complete: number;
}

/** Postings kept decoded per bank: 6 bytes each, 6 MB at most. */
const keptPostings = 1_000_000;

/** Terms' postings of one bank, decoded once: a doc's never change, so only what came since is read again. */
export interface TermReader {
  /** In the order asked for; nothing of docs from `docs` on. */
  read(reader: ViewsReader, hashes: readonly string[], docs: number): Promise<TermPostings[]>;
}

export function termReader(bank: string): TermReader {
  const kept = new Map<string, Kept>();
  let total = 0;

  const keep = (hash: string, postings: Kept): void => {
    total += postings.docs.length - (kept.get(hash)?.docs.length ?? 0);
    kept.delete(hash);
    kept.set(hash, postings);
    for (const [oldest, { docs }] of kept) {
      if (total <= keptPostings || kept.size === 1) break;
      kept.delete(oldest);
      total -= docs.length;
    }
  };

  return {
    async read(reader, hashes, docs) {
      // Looked up once: what is kept meanwhile, for this question or another, may push others out.
      const known = new Map(hashes.map((hash) => [hash, kept.get(hash)]));
      const stale = hashes.filter((hash) => (known.get(hash)?.complete ?? -1) < docs);
      for (const [fromBlock, group] of byFirstBlock(stale, known)) {
        const blocks = await reader.postings(bank, group, fromBlock);
        for (const hash of group) known.set(hash, extended(known.get(hash), fromBlock, blocks.get(hash) ?? [], docs));
      }
      for (const [hash, postings] of known) keep(hash, postings!);
      return hashes.map((hash) => known.get(hash)!);
    },
  };
}

/** A term that was read before is read again from its last block on, any other from the first. */
function byFirstBlock(hashes: readonly string[], known: ReadonlyMap<string, Kept | undefined>): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const hash of hashes) {
    const from = blockOf(known.get(hash)?.complete ?? 0);
    groups.set(from, [...(groups.get(from) ?? []), hash]);
  }
  return groups;
}

function extended(known: Kept | undefined, fromBlock: number, blocks: readonly PostingBlock[], complete: number): Kept {
  const upTo = fromBlock * docsPerBlock;
  const stays = known ? lowerBound(known.docs, upTo) : 0;
  const bytes = blocks.reduce((sum, block) => sum + block.bytes.length, 0);
  const docs = new Int32Array(stays + bytes);
  const counts = new Uint16Array(stays + bytes);
  if (known) {
    docs.set(known.docs.subarray(0, stays));
    counts.set(known.counts.subarray(0, stays));
  }
  let length = stays;
  for (const { block, bytes: packed } of blocks) {
    if (block < fromBlock) continue;
    eachPosting(block, packed, (doc, count) => {
      if (doc >= complete) return;
      docs[length] = doc;
      counts[length++] = Math.min(count, 0xffff);
    });
  }
  return { docs: docs.slice(0, length), counts: counts.slice(0, length), complete };
}

/** The first index whose value is not below `value`. */
export function lowerBound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

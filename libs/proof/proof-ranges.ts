import { type MerkleTree, merkleTree } from './merkle-tree.js';
import type { TreeHash } from './tree-hash.js';

/** Leaves from `from` (inclusive) to `to` (exclusive), under one node of the tree. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The nodes that prove that a leaf is in a tree, from the leaf's sibling up (PATH of RFC 9162 §2.1.3.1).
 * @throws RangeError when the tree has no such leaf
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!(Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size))
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const ranges: LeafRange[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.reverse();
}

/**
 * The nodes that prove that a tree is the beginning of a larger one (PROOF of RFC 9162 §2.1.4.1).
 * @throws RangeError when `first` is not 1 to `second`
 */
export function consistencyRanges(first: number, second: number): LeafRange[] {
  if (!(Number.isSafeInteger(second) && Number.isSafeInteger(first) && first >= 1 && first <= second))
    throw new RangeError(`a tree of ${first} leaves is not the beginning of one of ${second}`);
  const ranges: LeafRange[] = [];
  let from = 0;
  let to = second;
  while (to !== first) {
    const middle = from + largestPowerBelow(to - from);
    if (first <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // Whoever checks has the root of the first tree: where that is the node here, it is not repeated.
  if (from > 0) ranges.push({ from, to });
  return ranges.reverse();
}

/** Hashes the nodes of a proof while all leaves go by once, in their order. */
export interface ProofCollector {
  take(leaf: Uint8Array): void;
  /** In the order of the ranges. @throws RangeError when not all of their leaves have gone by */
  hashes(): TreeHash[];
}

/** @param ranges which share no leaf, as those of one proof do */
export function collectProof(ranges: readonly LeafRange[]): ProofCollector {
  const ordered = ranges.map((range) => ({ range, tree: merkleTree() })).sort((a, b) => a.range.from - b.range.from);
  let rank = 0;
  let at = 0;
  return {
    take(leaf) {
      const open = ordered[at];
      if (open && rank >= open.range.from) {
        open.tree.append(leaf);
        if (rank + 1 === open.range.to) at += 1;
      }
      rank += 1;
    },
    hashes() {
      if (at < ordered.length)
        throw new RangeError(`${rank} leaves went by, and the proof needs ${ordered.at(-1)!.range.to}`);
      const trees = new Map<LeafRange, MerkleTree>(ordered.map(({ range, tree }) => [range, tree]));
      return ranges.map((range) => trees.get(range)!.root());
    },
  };
}

/** The largest power of two that is smaller than `n`, for n ≥ 2. */
function largestPowerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}

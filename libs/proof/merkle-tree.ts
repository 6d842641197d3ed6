import { emptyRoot, fromBase64url, leafHash, nodeHash, type TreeHash, toBase64url } from './tree-hash.js';

/**
 * All that is needed to go on with a tree: the roots of the complete subtrees that its leaves fall into, the largest (and leftmost)
 * first. There is one for each bit of `size`, so 17 for 100,000 leaves and 34 for ten billion at most.
 */
export interface Frontier {
  readonly size: number;
  /** base64url */
  readonly peaks: readonly string[];
}

/** A Merkle tree of RFC 9162 §2.1 (as RFC 6962 had it) that grows at its end and holds its frontier only. */
export interface MerkleTree {
  readonly size: number;
  /** @param leaf bytes, or 32 of them as a text (`leafHash`); hashed with the leaf's tag */
  append(leaf: Uint8Array | string): void;
  root(): TreeHash;
  frontier(): Frontier;
}

/** @throws TypeError when `from` is no frontier: it has not one hash for each bit of its size */
export function merkleTree(from: Frontier = { size: 0, peaks: [] }): MerkleTree {
  const peaks = from.peaks.map((peak) => fromBase64url(peak));
  let size = from.size;
  if (!Number.isSafeInteger(size) || size < 0 || peaks.length !== bitsOf(size) || !peaks.every(isHash))
    throw new TypeError(`no frontier of ${size} leaves: one hash of 32 bytes for each bit of the number`);
  return {
    get size() {
      return size;
    },
    append(leaf) {
      let hashed = leafHash(leaf);
      // As many complete subtrees of equal size end here as the size has ones at its end. (By division: `>>` cuts at 32 bits.)
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) hashed = nodeHash(peaks.pop()!, hashed);
      peaks.push(hashed);
      size += 1;
    },
    root: () => joined(peaks as TreeHash[]),
    frontier: () => ({ size, peaks: (peaks as TreeHash[]).map(toBase64url) }),
  };
}

/** The root over complete subtrees of falling size: each is joined with all to its right. */
function joined(peaks: readonly TreeHash[]): TreeHash {
  let root = peaks.at(-1);
  if (root === undefined) return emptyRoot;
  for (let at = peaks.length - 2; at >= 0; at--) root = nodeHash(peaks[at]!, root);
  return root;
}

/** @returns undefined when it is no frontier */
export function rootOfFrontier(frontier: Frontier): TreeHash | undefined {
  try {
    return merkleTree(frontier).root();
  } catch {
    return undefined;
  }
}

function bitsOf(size: number): number {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}

function isHash(value: TreeHash | undefined): boolean {
  return value !== undefined;
}

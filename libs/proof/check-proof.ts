import { nodeHash, type TreeHash } from './tree-hash.js';

/**
 * Whether a leaf stands at a rank of the tree with this root (RFC 9162 §2.1.3.2).
 * @param leaf the leaf's hash, with its tag
 */
export function isIncluded(
  leaf: TreeHash,
  index: number,
  size: number,
  path: readonly TreeHash[],
  root: TreeHash,
): boolean {
  if (!(Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size)) return false;
  let place = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = half(last);
      }
    } else hash = nodeHash(hash, sibling);
    place = half(place);
    last = half(last);
  }
  return last === 0 && hash === root;
}

/** Whether the tree with the first root is the beginning of that with the second (RFC 9162 §2.1.4.2). */
export function isConsistent(
  first: number,
  second: number,
  firstRoot: TreeHash,
  secondRoot: TreeHash,
  path: readonly TreeHash[],
): boolean {
  if (!(Number.isSafeInteger(first) && Number.isSafeInteger(second) && first >= 1 && first <= second)) return false;
  if (first === second) return path.length === 0 && firstRoot === secondRoot;
  const [start, ...rest] = isPowerOfTwo(first) ? [firstRoot, ...path] : path;
  if (start === undefined) return false;
  let place = first - 1;
  let last = second - 1;
  while (place % 2 === 1) {
    place = half(place);
    last = half(last);
  }
  let before = start;
  let now = start;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      before = nodeHash(sibling, before);
      now = nodeHash(sibling, now);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = half(last);
      }
    } else now = nodeHash(now, sibling);
    place = half(place);
    last = half(last);
  }
  return last === 0 && before === firstRoot && now === secondRoot;
}

/** By division: `>>` cuts at 32 bits. */
function half(value: number): number {
  return Math.floor(value / 2);
}

function isPowerOfTwo(value: number): boolean {
  return 2 ** Math.round(Math.log2(value)) === value;
}

import { hash } from 'node:crypto';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isConsistent, isIncluded } from './check-proof.js';
import { merkleTree, rootOfFrontier } from './merkle-tree.js';
import { collectProof, consistencyRanges, inclusionRanges } from './proof-ranges.js';
import { fromBase64url, leafHash, type TreeHash, toBase64url } from './tree-hash.js';

// Each property hashes some hundred thousand nodes.
vi.setConfig({ testTimeout: 60_000 });

/** The definitions of RFC 9162 §2.1 word for word, over byte buffers: nothing here is shared with what is tested. */
const sha = (...parts: readonly Uint8Array[]) => hash('sha256', Buffer.concat(parts), 'buffer');
const powerBelow = (n: number): number => {
  let k = 1;
  while (k << 1 < n) k <<= 1;
  return k;
};
function naiveRoot(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return sha(Buffer.of(0), leaves[0]!);
  const k = powerBelow(leaves.length);
  return sha(Buffer.of(1), naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
}
function naivePath(m: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length === 1) return [];
  const k = powerBelow(leaves.length);
  return m < k
    ? [...naivePath(m, leaves.slice(0, k)), naiveRoot(leaves.slice(k))]
    : [...naivePath(m - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))];
}
function naiveSubproof(m: number, leaves: readonly Uint8Array[], isKnown: boolean): Buffer[] {
  if (m === leaves.length) return isKnown ? [] : [naiveRoot(leaves)];
  const k = powerBelow(leaves.length);
  return m <= k
    ? [...naiveSubproof(m, leaves.slice(0, k), isKnown), naiveRoot(leaves.slice(k))]
    : [...naiveSubproof(m - k, leaves.slice(k), false), naiveRoot(leaves.slice(0, k))];
}

const hex = (of: TreeHash | Buffer) => Buffer.from(of as string, 'latin1').toString('hex');
const grown = (leaves: readonly Uint8Array[]) => {
  const tree = merkleTree();
  for (const leaf of leaves) tree.append(leaf);
  return tree;
};
function proofOf(ranges: ReturnType<typeof inclusionRanges>, leaves: readonly Uint8Array[]): TreeHash[] {
  const collector = collectProof(ranges);
  for (const leaf of leaves) collector.take(leaf);
  return collector.hashes();
}

const bytes = fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 40 }));
const someLeaves = fc.array(bytes, { minLength: 1, maxLength: 70, size: 'max' });
const twoSizes = someLeaves.chain((leaves) =>
  fc.record({
    leaves: fc.constant(leaves),
    first: fc.integer({ min: 1, max: leaves.length }),
    other: fc.nat(leaves.length - 1),
  }),
);
const runs = { numRuns: 500 };

describe('a tree that grows', () => {
  test.prop([fc.array(bytes, { maxLength: 70, size: 'max' })], { numRuns: 100 })(
    'has the root of RFC 9162 at every size',
    (leaves) => {
      const tree = merkleTree();
      expect(hex(tree.root())).toBe(naiveRoot([]).toString('hex'));
      leaves.forEach((leaf, index) => {
        tree.append(leaf);
        expect(hex(tree.root())).toBe(naiveRoot(leaves.slice(0, index + 1)).toString('hex'));
      });
    },
  );

  test.prop([twoSizes], runs)('goes on from its frontier as if it had never stopped', ({ leaves, first }) => {
    const frontier = grown(leaves.slice(0, first)).frontier();
    const stored = JSON.parse(JSON.stringify(frontier)) as typeof frontier;
    expect(rootOfFrontier(stored)).toBe(grown(leaves.slice(0, first)).root());
    const later = merkleTree(stored);
    for (const leaf of leaves.slice(first)) later.append(leaf);
    expect(later.frontier()).toEqual(grown(leaves).frontier());
    expect(frontier.peaks.length).toBeLessThanOrEqual(Math.ceil(Math.log2(first + 1)));
  });

  it('takes no frontier that has not one hash for each bit of its size', () => {
    const { peaks } = grown([Buffer.of(1), Buffer.of(2), Buffer.of(3)]).frontier();
    expect(rootOfFrontier({ size: 3, peaks })).toBeDefined();
    for (const wrong of [
      { size: 4, peaks },
      { size: 3, peaks: peaks.slice(1) },
      { size: 3, peaks: [peaks[0]!, `${peaks[1]!}A`] },
      { size: 3, peaks: [peaks[0]!, ''] },
      { size: -1, peaks: [] },
      { size: 0.5, peaks: [] },
    ])
      expect(rootOfFrontier(wrong)).toBeUndefined();
  });

  it('goes on beyond 32 bits', () => {
    const size = 2 ** 33 + 1;
    const [one, two] = grown([Buffer.of(1), Buffer.of(2), Buffer.of(3)]).frontier().peaks as [string, string];
    const tree = merkleTree({ size, peaks: [one, two] });
    tree.append(Buffer.of(4));
    expect(tree.size).toBe(size + 1);
    expect(tree.frontier().peaks).toHaveLength(2);
    tree.append(Buffer.of(5));
    expect(tree.frontier().peaks).toHaveLength(3);
  });
});

describe('a proof of inclusion', () => {
  test.prop([twoSizes], runs)('is that of RFC 9162, and holds', ({ leaves, other }) => {
    const path = proofOf(inclusionRanges(other, leaves.length), leaves);
    expect(path.map(hex)).toEqual(naivePath(other, leaves).map((each) => each.toString('hex')));
    expect(isIncluded(leafHash(leaves[other]!), other, leaves.length, path, grown(leaves).root())).toBe(true);
  });

  test.prop([twoSizes, fc.nat(), fc.nat(255)], runs)(
    'holds for no other leaf, rank, size, path or root',
    ({ leaves, other }, chosen, flip) => {
      const size = leaves.length;
      const path = proofOf(inclusionRanges(other, size), leaves);
      const root = grown(leaves).root();
      const leaf = leafHash(leaves[other]!);
      const changed = flipped(root, chosen, flip);
      expect(isIncluded(changed, other, size, path, root)).toBe(false);
      expect(isIncluded(leaf, other, size, path, changed)).toBe(false);
      expect(isIncluded(leaf, size, size, path, root)).toBe(false);
      expect(isIncluded(leaf, other, size, [...path, root], root)).toBe(false);
      if (path.length > 0) {
        const at = chosen % path.length;
        expect(isIncluded(leaf, other, size, path.with(at, changed), root)).toBe(false);
        expect(isIncluded(leaf, other, size, path.toSpliced(at, 1), root)).toBe(false);
      }
      const elsewhere = leaves.findIndex((each, index) => index !== other && leafHash(each) !== leaf);
      if (elsewhere >= 0) expect(isIncluded(leaf, elsewhere, size, path, root)).toBe(false);
    },
  );
});

describe('a proof of consistency', () => {
  test.prop([twoSizes], runs)('is that of RFC 9162, and holds', ({ leaves, first }) => {
    const path = proofOf(consistencyRanges(first, leaves.length), leaves);
    expect(path.map(hex)).toEqual(naiveSubproof(first, leaves, true).map((each) => each.toString('hex')));
    const before = grown(leaves.slice(0, first)).root();
    expect(isConsistent(first, leaves.length, before, grown(leaves).root(), path)).toBe(true);
  });

  test.prop([twoSizes, fc.nat(), fc.nat(255)], runs)(
    'holds for no other root or path, nor where a leaf of the beginning was changed',
    ({ leaves, first, other }, chosen, flip) => {
      const second = leaves.length;
      const path = proofOf(consistencyRanges(first, second), leaves);
      const before = grown(leaves.slice(0, first)).root();
      const now = grown(leaves).root();
      expect(isConsistent(first, second, flipped(before, chosen, flip), now, path)).toBe(false);
      expect(isConsistent(first, second, before, flipped(now, chosen, flip), path)).toBe(false);
      expect(isConsistent(first, second, before, now, [...path, now])).toBe(false);
      expect(isConsistent(second + 1, second, before, now, path)).toBe(false);
      if (path.length > 0) expect(isConsistent(first, second, before, now, path.slice(1))).toBe(false);
      const at = other % first;
      const rewritten = leaves.with(at, Buffer.concat([leaves[at]!, Buffer.of(flip)]));
      const forged = proofOf(consistencyRanges(first, second), rewritten);
      expect(isConsistent(first, second, before, grown(rewritten).root(), forged)).toBe(false);
    },
  );
});

it('asks for what there is', () => {
  expect(() => inclusionRanges(3, 3)).toThrow(RangeError);
  expect(() => consistencyRanges(0, 3)).toThrow(RangeError);
  expect(() => consistencyRanges(4, 3)).toThrow(RangeError);
  const collector = collectProof(inclusionRanges(0, 4));
  collector.take(Buffer.of(1));
  expect(() => collector.hashes()).toThrow(/1 leaves went by, and the proof needs 4/);
  expect(fromBase64url('not 32 bytes')).toBeUndefined();
  expect(toBase64url(fromBase64url('A'.repeat(43))!)).toBe('A'.repeat(43));
});

function flipped(treeHash: TreeHash, at: number, by: number): TreeHash {
  const changed = Buffer.from(treeHash, 'latin1');
  changed[at % changed.length]! ^= by === 0 ? 1 : by;
  return changed.toString('latin1');
}

/** The leaves and roots that Certificate Transparency's own test suites share (RFC 6962; google/certificate-transparency, merkletree tests). */
describe('the reference vectors', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const read = leaves.map((leaf) => Buffer.from(leaf, 'hex'));

  it.each(roots.map((root, index) => [index + 1, root] as const))('have the root of %i leaves', (size, root) => {
    expect(hex(grown(read.slice(0, size)).root())).toBe(root);
  });

  it('have the paths of the first and the sixth of eight leaves', () => {
    expect(proofOf(inclusionRanges(0, 8), read).map(hex)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect(proofOf(inclusionRanges(5, 8), read).map(hex)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('have the proof that six leaves are the beginning of eight', () => {
    expect(proofOf(consistencyRanges(6, 8), read).map(hex)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });
});

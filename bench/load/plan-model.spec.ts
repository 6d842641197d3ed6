import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partitionOf } from '#views/partition.js';
import { bankHashes, heldBanks, partitionShares, questionsOf, shares, spread, waits } from './plan-model.js';

it('gives shares that add up, each as its rank says', () => {
  const all = shares(1000, 0.5);
  expect(all.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  expect(all[0]! / all[99]!).toBeCloseTo(10, 6);
});

it('puts banks where the product puts them', () => {
  const hashes = bankHashes(50);
  for (const partitions of [2, 8, 64])
    expect([...hashes].map((hash) => hash % partitions)).toEqual(
      Array.from({ length: 50 }, (_, rank) => partitionOf(`b${rank}`, partitions)),
    );
  const loads = partitionShares(shares(50, 0.9), hashes, 8);
  expect(loads.reduce((sum, load) => sum + load, 0)).toBeCloseTo(1, 9);
  expect([...loads]).toEqual([...loads].sort((one, other) => other - one));
});

test.prop([fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }), fc.integer({ min: 1, max: 8 })])(
  'gives each partition to one process',
  (loads, processes) => {
    const found = spread(Float64Array.from(loads), processes);
    expect(found).toHaveLength(processes);
    expect(found.flat().sort()).toEqual([...loads].sort());
  },
);

it('waits long where more comes than is served, and a moment where there is room', () => {
  const line = { shares: [0.5, 0.5], perSecond: 1000 };
  const last = (writes: number) => waits({ ...line, writes }, 3, 60).at(-1)!;
  expect(last(500)).toBeLessThan(40);
  expect(last(2000)).toBeGreaterThan(50_000);
});

it('asks large banks more often than small ones', () => {
  const asked = questionsOf(shares(100, 1), 20_000, 5);
  const of = (rank: number) => asked.filter((each) => each === rank).length;
  expect(of(0) / of(9)).toBeGreaterThan(8);
  expect(of(0) / of(9)).toBeLessThan(12);
});

it('holds the banks that were asked last, and no more memories than theirs', () => {
  const size = (rank: number) => 10 * (rank + 1);
  const one = () => 0;
  expect(heldBanks(Int32Array.of(0, 1, 0, 1, 0, 1), size, 2, one)).toEqual({ hits: 1, read: 0, most: 30 });
  // The one that comes next is always the one that has just gone.
  expect(heldBanks(Int32Array.of(0, 1, 2, 0, 1, 2), size, 2, one)).toMatchObject({ hits: 0, read: 20 });
  expect(heldBanks(Int32Array.of(0, 1, 2, 0, 1, 2), size, 1, (rank) => rank).hits).toBe(1);
});

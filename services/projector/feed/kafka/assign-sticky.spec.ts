import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { assignSticky, type Claim } from './assign-sticky.js';

const claims = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 9 })
  .chain((members) =>
    fc.tuple(
      ...members.map((member) =>
        fc
          .uniqueArray(fc.tuple(fc.nat(20), fc.nat(100)), { maxLength: 21, selector: ([partition]) => partition })
          .map((held): Claim => ({ member, held: new Map(held) })),
      ),
    ),
  );

describe('assignSticky', () => {
  test.prop([claims, fc.integer({ min: 1, max: 16 })])(
    'gives each partition once, as evenly as can be',
    (all, count) => {
      const partitions = Array.from({ length: count }, (_, partition) => partition);
      const assigned = [...assignSticky(all, partitions).values()];
      expect(assigned.flat().sort((one, other) => one - other)).toEqual(partitions);
      const sizes = assigned.map((each) => each.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    },
  );

  test.prop([fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 16 })])(
    'moves no more than a new member is due',
    (members, count) => {
      const partitions = Array.from({ length: count }, (_, partition) => partition);
      const nobody = Array.from({ length: members }, (_, index): Claim => ({ member: `m${index}`, held: new Map() }));
      const before = assignSticky(nobody, partitions);
      const held = (member: string) => new Map((before.get(member) ?? []).map((partition) => [partition, 1]));
      const all = [...nobody.map(({ member }) => ({ member, held: held(member) })), { member: 'new', held: new Map() }];
      const after = assignSticky(all, partitions);
      const moved = partitions.filter(
        (partition) =>
          !nobody.some(
            ({ member }) => before.get(member)!.includes(partition) && after.get(member)!.includes(partition),
          ),
      );
      expect(moved.length).toBe(after.get('new')!.length);
    },
  );

  it('leaves the one partition with whoever has it, and believes the later of two', () => {
    const joined = { member: 'a', held: new Map() };
    const older = { member: 'b', held: new Map([[0, 100]]) };
    const newer = { member: 'c', held: new Map([[0, 200]]) };
    expect(assignSticky([joined, older], [0]).get('b')).toEqual([0]);
    expect(assignSticky([joined, older, newer], [0]).get('c')).toEqual([0]);
  });
});

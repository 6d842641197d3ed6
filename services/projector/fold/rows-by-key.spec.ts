import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '#views/table.js';
import { rowsByKey } from './rows-by-key.js';

const key = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value: fc.integer() }),
  fc.record({ do: fc.constant('delete' as const), key }),
);

describe('rows of one group', () => {
  it('are what a map would hold, in its order, whatever came and went', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const rows = rowsByKey();
        const map = new Map<string, Row>();
        for (const each of steps) {
          if (each.do === 'set') {
            const row = { value: each.value };
            rows.set(each.key, row);
            map.set(each.key, row);
          } else {
            rows.delete(each.key);
            map.delete(each.key);
          }
          expect(rows.list()).toEqual([...map.values()]);
          expect(rows.size()).toBe(map.size);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('begin with those that were loaded', () => {
    const [one, other] = [{ value: 1 }, { value: 2 }];
    expect(rowsByKey([['a', one]]).list()).toEqual([one]);
    expect(rowsByKey(new Map([['a', one] as const, ['b', other] as const])).list()).toEqual([one, other]);
  });
});

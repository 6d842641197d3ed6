import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesInWait } from './pieces-in-wait.js';

const hex = (digits: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits }).map((all) => all.join(''));
/** Few of them, so that many come to the same row; with the top bit set and not, and of a length that no posting's term has. */
const terms = fc.oneof(
  hex(1).map((one) => `ffffffff0000000${one}`),
  hex(1).map((one) => `${one}000000000000000`),
  hex(2),
  hex(16),
);
const appends = fc.array(
  fc.tuple(
    fc.nat(3),
    terms,
    fc.nat(5).chain((bytes) => hex(2 * bytes + 2)),
  ),
  { maxLength: 400 },
);

describe('pieces that wait', () => {
  it('come out as one row for each group and term, in the order in which they were put', () => {
    fc.assert(
      fc.property(appends, (all) => {
        const waiting = piecesInWait();
        const expected = new Map<string, string>();
        for (const [group, term, piece] of all) {
          const before = `${group}\t`;
          waiting.append(waiting.group(before), term, piece);
          const row = `${before}\\\\x${term}`;
          expected.set(row, (expected.get(row) ?? '') + piece);
        }
        expect(waiting.size).toBe(all.length);
        const rows = Buffer.concat([...waiting.rows()])
          .toString('latin1')
          .split('\n')
          .slice(0, -1);
        expect(rows.sort()).toEqual([...expected].map(([row, bytes]) => `${row}\t\\\\x${bytes}`).sort());
      }),
    );
  });

  it('keep a hundred thousand rows apart, and hand them on in stretches', () => {
    const waiting = piecesInWait();
    const group = waiting.group('7\t0\t');
    for (let round = 0; round < 2; round++)
      for (let at = 0; at < 100_000; at++)
        waiting.append(
          group,
          ((BigInt(at) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16).padStart(16, '0'),
          '0011',
        );
    const stretches = [...waiting.rows()];
    const rows = Buffer.concat(stretches).toString('latin1').split('\n').slice(0, -1);
    expect(rows).toHaveLength(100_000);
    expect(new Set(rows).size).toBe(100_000);
    expect(rows.every((row) => row.endsWith('\t\\\\x00110011'))).toBe(true);
    expect(Math.max(...stretches.map(({ length }) => length))).toBeLessThan(256 * 1024);
  });
});

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { packedDirection, packVector } from './packed-vector.js';
import { quantizeQuestion } from './quantized-question.js';
import { openScanner } from './scanner.js';

/** The same random numbers every time. */
function vectors(count: number, dimensions: number, seed = 1): Float32Array[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next));
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return dot / Math.hypot(...a) / Math.hypot(...b);
}

/** What the kernel has to give, bit by bit, in plain arithmetic. */
function expected(question: Float32Array, row: Float32Array): number {
  const { numbers, by } = quantizeQuestion(question)!;
  const packed = packedDirection(packVector(row));
  const sum = numbers.reduce((all, value, at) => all + value * packed.numbers[at]!, 0);
  return Math.fround(Math.fround(sum) * Math.fround(packed.scale * by));
}

describe('the scan', () => {
  test.prop([fc.integer({ min: 1, max: 800 }), fc.integer({ min: 1, max: 9 }), fc.nat()])(
    'gives the bits of plain arithmetic, within .005 of the cosine',
    async (dimensions, count, seed) => {
      const scanner = await openScanner(dimensions);
      const [question, ...rows] = vectors(count + 1, dimensions, seed);
      rows.forEach((row, at) => {
        scanner.put(at, at % 2 ? row : packVector(row));
      });
      const scores = new Float32Array(count);
      scanner.scores(question!, scores);
      expect([...scores]).toEqual(rows.map((row) => expected(question!, row)));
      rows.forEach((row, at) => {
        expect(Math.abs(scores[at]! - cosine(question!, row))).toBeLessThan(0.005);
      });
    },
  );

  test.prop([fc.nat(9_000), fc.nat(9_000)])('gives any part of the rows', async (a, b) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    const { scanner, question, all } = await nineThousand;
    const part = new Float32Array(to - from);
    scanner.scores(question, part, from, to);
    expect(part).toEqual(all.slice(from, to));
  });

  it('keeps what it holds while it grows, and gives none for rows that were never put', async () => {
    const { scanner, question, rows, all } = await nineThousand;
    expect(scanner.rows).toBe(9_000);
    rows.forEach((row, at) => {
      expect(all[at]).toBe(at % 3 === 0 ? expected(question, row) : Number.NaN);
    });
    const beyond = new Float32Array(4).fill(7);
    scanner.scores(question, beyond, 8_998, 9_002);
    expect([...beyond.subarray(2)]).toEqual([Number.NaN, Number.NaN]);
  });

  it('replaces and removes rows', async () => {
    const scanner = await openScanner(20);
    const [one, other] = vectors(2, 20);
    const scores = new Float32Array(1);
    scanner.put(0, one!);
    scanner.put(0, other!);
    scanner.scores(other!, scores);
    expect(scores[0]).toBeCloseTo(1, 3);
    scanner.remove(0);
    scanner.remove(50);
    scanner.scores(other!, scores);
    expect(scores[0]).toBeNaN();
  });

  it('gives rows back as they were packed, also after it grew', async () => {
    const scanner = await openScanner(19);
    const rows = vectors(9_000, 19);
    for (const [at, row] of rows.entries()) if (at % 7 !== 3) scanner.put(at, row);
    scanner.remove(4_100);
    for (const at of [0, 1, 4_095, 4_096, 8_999])
      expect(scanner.packed(at)).toEqual(at % 7 === 3 ? undefined : packVector(rows[at]!));
    for (const at of [3, 4_100, 9_000]) expect(scanner.packed(at)).toBeUndefined();
  });

  it('finds nothing near a question without a direction, and refuses one of other dimensions', async () => {
    const scanner = await openScanner(16);
    scanner.put(0, vectors(1, 16)[0]!);
    const scores = new Float32Array(1).fill(7);
    scanner.scores(new Float32Array(16), scores);
    expect(scores[0]).toBeNaN();
    expect(() => scanner.scores(new Float32Array(17), scores)).toThrow(/17 dimensions; here they have 16/);
    expect(() => scanner.put(1, new Float32Array(17).fill(1))).toThrow(/17 dimensions/);
  });

  it('has room for the greatest sums', async () => {
    for (const dimensions of [384, 1_536, 4_000]) {
      const scanner = await openScanner(dimensions);
      const all = new Float32Array(dimensions).fill(1);
      scanner.put(0, all);
      const scores = new Float32Array(1);
      scanner.scores(all, scores);
      expect(scores[0]).toBeCloseTo(1, 4);
    }
  });
});

const nineThousand = (async () => {
  const scanner = await openScanner(64);
  const [question, ...rows] = vectors(9_001, 64);
  rows.forEach((row, at) => {
    if (at % 3 === 0) scanner.put(at, row);
  });
  scanner.put(8_999, rows[8_999]!);
  scanner.remove(8_999);
  const all = new Float32Array(9_000);
  scanner.scores(question!, all);
  return { scanner, question: question!, rows, all };
})();

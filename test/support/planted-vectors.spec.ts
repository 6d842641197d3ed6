import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { packVector, unpackVector } from '#understanding/embeddings/scan/packed-vector.js';
import { halfOf, vectorScan } from './planted-vectors.js';

const vectorOf = (seed: number) =>
  packVector(Float32Array.from({ length: 384 }, (_, at) => Math.sin(seed * 999 + at * (3 + seed))));
const vectors = [1, 2, 3].map(vectorOf);
const scan = vectorScan(vectors);

describe('the scan for vectors', () => {
  const forms: [string, (packed: Uint8Array) => Buffer][] = [
    ['packed', (packed) => Buffer.from(packed)],
    ['in half precision', (packed) => Buffer.from(Uint16Array.from(unpackVector(packed), halfOf).buffer)],
    ['in whole precision', (packed) => Buffer.from(unpackVector(packed).buffer)],
    ['in hex', (packed) => Buffer.from(Buffer.from(packed).toString('hex'))],
    ['in base64', (packed) => Buffer.from(Buffer.from(packed).toString('base64'))],
    ['as text', (packed) => Buffer.from(JSON.stringify(Array.from(unpackVector(packed))))],
  ];
  it.each(forms)('finds one that stands there %s, wherever, and says which', (_, form) => {
    for (const [of, packed] of vectors.entries())
      for (const before of [0, 1, 3, 1_000])
        expect(scan(Buffer.concat([Buffer.alloc(before, 7), form(packed), Buffer.alloc(9)]))).toEqual([of]);
  });

  it.each(forms)('finds half of one that stands there %s', (_, form) => {
    const whole = form(vectors[1]!);
    expect(scan(whole.subarray(0, whole.length / 2))).toEqual([1]);
    expect(scan(whole.subarray(whole.length / 2))).toEqual([1]);
  });

  it('finds none where there is another, or nothing', () => {
    expect(scan(Buffer.from(vectorOf(4)))).toEqual([]);
    expect(scan(Buffer.alloc(0))).toEqual([]);
    expect(scan(Buffer.alloc(1_000))).toEqual([]);
    expect(scan(Buffer.concat(vectors.map((each) => Buffer.from(each))))).toEqual([0, 1, 2]);
  });

  // Halves as the standard's own conversion back gives them.
  test.prop([fc.double({ min: 2 ** -14, max: 60_000, noNaN: true }), fc.boolean()])(
    'knows the half that is nearest',
    (size, negative) => {
      const value = Math.fround(negative ? -size : size);
      const half = halfOf(value);
      const back = (bits: number) =>
        (bits & 0x8000 ? -1 : 1) * 2 ** (((bits >> 10) & 31) - 15) * (1 + (bits & 1023) / 1024);
      const away = Math.abs(back(half) - value);
      for (const other of [half - 1, half + 1]) expect(away).toBeLessThanOrEqual(Math.abs(back(other) - value));
    },
  );
});

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { packedDirection, packVector, unpackVector } from './packed-vector.js';

const anyVector = fc
  .array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: 1, maxLength: 400 })
  .filter((numbers) => numbers.some((value) => Math.abs(value) > 1e-30))
  .map((numbers) => Float32Array.from(numbers));

const length = (vector: Float32Array): number => Math.hypot(...vector);

describe('packed vectors', () => {
  it('takes 388 bytes for 384 dimensions: the scale little endian, then a byte each', () => {
    const vector = new Float32Array(384);
    vector[0] = -0.5;
    const packed = packVector(vector);
    expect(packed.byteLength).toBe(388);
    expect(Buffer.from(packed).readFloatLE(0)).toBe(Math.fround(1 / 127));
    expect(Buffer.from(packed).readInt8(4)).toBe(-127);
  });

  test.prop([anyVector])('gives back a unit vector of the same direction', (vector) => {
    const back = unpackVector(packVector(vector));
    expect(length(back)).toBeCloseTo(1, 5);
    const most = Math.max(...vector.map(Math.abs));
    const whole = packedDirection(packVector(vector)).numbers;
    vector.forEach((value, at) => {
      expect(Math.abs(whole[at]! / 127 - value / most)).toBeLessThanOrEqual(1 / 254 + 1e-6);
    });
  });

  test.prop([anyVector])('is the same when what was given back is packed again', (vector) => {
    const once = packVector(vector);
    expect(packVector(unpackVector(once))).toEqual(once);
  });

  test.prop([anyVector, fc.integer({ min: 0, max: 9 })])('is read wherever its bytes lie', (vector, ahead) => {
    const packed = packVector(vector);
    const within = Buffer.alloc(packed.byteLength + ahead + 3);
    within.set(packed, ahead);
    expect(unpackVector(within.subarray(ahead, ahead + packed.byteLength))).toEqual(unpackVector(packed));
  });

  it.each([[[0, 0]], [[1, Number.NaN]], [[Number.POSITIVE_INFINITY, 1]]])(
    'refuses %s: it has no direction',
    (numbers) => {
      expect(() => packVector(Float32Array.from(numbers))).toThrow(/A vector holds/);
    },
  );
});

import { HindsightError } from '#contract/errors.js';

/** Bytes of the scale in front of a packed vector's numbers. */
export const scaleBytes = 4;

/** A direction in whole numbers: `numbers[i] * scale` is a vector of length 1. */
export interface PackedDirection {
  readonly numbers: Int8Array;
  readonly scale: number;
}

/**
 * The direction of a vector in whole numbers of -127..127, of which the greatest is 127. The scale is what gives them length 1 again, so
 * that the product of two packed vectors is the cosine of what is held, whatever length was given.
 * @throws HindsightError invalid_input when there is no direction: all 0, or a number that isn't finite
 */
export function quantize(vector: Float32Array): PackedDirection {
  let most = 0;
  for (const value of vector) {
    if (!Number.isFinite(value)) refuse(value);
    most = Math.max(most, Math.abs(value));
  }
  if (most === 0) refuse(0);
  const numbers = new Int8Array(vector.length);
  let squares = 0;
  for (let at = 0; at < vector.length; at++) {
    const whole = Math.round((vector[at]! / most) * 127);
    numbers[at] = whole;
    squares += whole * whole;
  }
  return { numbers, scale: Math.fround(1 / Math.sqrt(squares)) };
}

/** As it is stored: the scale as float32, little endian, then one signed byte a dimension; 388 bytes for 384 dimensions. */
export function packVector(vector: Float32Array): Uint8Array {
  const { numbers, scale } = quantize(vector);
  return packedBytes(numbers, scale);
}

/** The same of what was quantized already. */
export function packedBytes(numbers: Int8Array, scale: number): Uint8Array {
  const packed = new Uint8Array(scaleBytes + numbers.length);
  new DataView(packed.buffer).setFloat32(0, scale, true);
  packed.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length), scaleBytes);
  return packed;
}

/** What is held in packed bytes, without a copy of the numbers. The bytes may lie anywhere, as those of a Buffer do. */
export function packedDirection(packed: Uint8Array): PackedDirection {
  const scale = new DataView(packed.buffer, packed.byteOffset, scaleBytes).getFloat32(0, true);
  return {
    scale,
    numbers: new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, packed.byteLength - scaleBytes),
  };
}

/** A vector of length 1, within 1/254 of the greatest number in each dimension of the one that was packed. */
export function unpackVector(packed: Uint8Array): Float32Array {
  const { numbers, scale } = packedDirection(packed);
  return Float32Array.from(numbers, (whole) => whole * scale);
}

function refuse(given: number): never {
  throw new HindsightError(
    'invalid_input',
    given === 0
      ? 'A vector holds nothing but 0; it needs a direction.'
      : `A vector holds ${given}; finite numbers are taken.`,
    { parameter: 'vector' },
  );
}

/**
 * Vectors that lie as a sentence model's do: around one direction, in topics, along far fewer directions than they have numbers; cosines
 * between .5 and .8. The topics and directions are always the same, the vectors those of a seed.
 */
export function clusteredVectors(dimensions: number, seed: number): () => Float32Array {
  const shared = gaussian(7);
  const directions = Array.from({ length: latent }, () => Float32Array.from({ length: dimensions }, shared));
  const mean = Float32Array.from({ length: dimensions }, () => shared() * 12);
  const centres = Array.from({ length: topics }, () => Float32Array.from({ length: latent }, shared));
  const own = gaussian(seed);
  return () => {
    const centre = centres[Math.floor(Math.abs(own() * 1e4)) % topics]!;
    const vector = mean.slice();
    for (let at = 0; at < latent; at++) {
      const weight = centre[at]! + own() * 0.9;
      const direction = directions[at]!;
      for (let index = 0; index < dimensions; index++) vector[index]! += weight * direction[index]!;
    }
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
}

export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!;
  return sum;
}

const latent = 48;
const topics = 400;

/** xorshift32 (Marsaglia 2003) and Box–Muller: repeatable. */
function gaussian(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0 || 1;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
}

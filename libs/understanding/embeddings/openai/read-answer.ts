import { Trouble } from './trouble.js';

/**
 * The vectors of an answer of `POST /embeddings`, in the order asked for (by `index`, where it is there), of length 1.
 * @throws Trouble unusable when there are more or fewer, a place is given twice or not at all, dimensions differ, a number is none or not
 * finite, or a vector has no direction
 */
export function readAnswer(answer: unknown, asked: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw unusable('no list named `data`');
  if (data.length !== asked) throw unusable(`${data.length} vectors where ${asked} were asked for`);
  const vectors: Float32Array[] = [];
  data.forEach((each: unknown, place) => {
    const { embedding, index = place } = (each ?? {}) as { embedding?: unknown; index?: unknown };
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= asked)
      throw unusable(`a vector at place ${JSON.stringify(index)} of ${asked}`);
    if (vectors[Number(index)]) throw unusable(`two vectors at place ${index}`);
    vectors[Number(index)] = unitVector(embedding);
  });
  const dimensions = vectors[0]?.length ?? 0;
  const other = vectors.find((each) => each.length !== dimensions);
  if (other) throw unusable(`vectors of ${dimensions} and of ${other.length} dimensions`);
  return vectors;
}

function unitVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0) throw unusable('a vector that is no list of numbers');
  const numbers = embedding as readonly unknown[];
  let squares = 0;
  for (const each of numbers) {
    if (typeof each !== 'number' || !Number.isFinite(each)) throw unusable('a vector with what is no finite number');
    squares += each * each;
  }
  const length = Math.sqrt(squares);
  if (!(length > 1e-12) || !Number.isFinite(length)) throw unusable('a vector without a direction');
  return Float32Array.from(numbers as readonly number[], (each) => each / length);
}

function unusable(what: string): Trouble {
  return new Trouble('unusable', `it answered with ${what}`);
}

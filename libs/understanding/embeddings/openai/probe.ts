import { hash } from 'node:crypto';
import type { VectorSpace } from '../embedder.js';

/** Embedded again and again: another vector of it means another model. Both languages, since a model may be changed for one. */
export const probeText = 'The ledger remembers what was said, and when: 三月的会议在上海。';

/** Directions that the probe's vector is measured along, and steps of one standard deviation of such a measure. */
const directions = 32;
const steps = 32;

/** Greatest root mean square of differences, in standard deviations: cosine .999. Servers that compute in another order differ by less than .0001. */
const most = Math.sqrt(2 * (1 - 0.999));

/** Hex digits in front: a hash of all of it, by which alone no two names are mistaken; then one of what the settings say; then the measures. */
const whole = 16;
const settled = 16;

/**
 * The name of a space: of what the settings say of it and, behind that, of the probe's vector, measured coarsely along fixed directions. A
 * hash of a rounded vector would not do: servers differ in the last digits from call to call, and one number of hundreds always lies where
 * rounding tips over. Names of one model may differ therefore: `sameModel` tells.
 */
export function nameOfSpace(settings: readonly unknown[], probe: Float32Array): VectorSpace {
  const of = hash('sha256', JSON.stringify(['hl-embeddings-1', probe.length, ...settings]), 'hex').slice(0, settled);
  const name = of + Buffer.from(measures(probe).buffer).toString('hex');
  return { model: hash('sha256', name, 'hex').slice(0, whole) + name, dimensions: probe.length };
}

/** Whether two names mean one model: the same settings, and a probe that lies in the same place. */
export function sameModel(one: VectorSpace, other: VectorSpace): boolean {
  if (one.dimensions !== other.dimensions || one.model.length !== other.model.length) return false;
  const [ofOne, ofOther] = [one, other].map(({ model }) => model.slice(whole, whole + settled));
  if (ofOne !== ofOther) return false;
  const [a, b] = [one, other].map(({ model }) => new Int8Array(Buffer.from(model.slice(whole + settled), 'hex')));
  if (a!.length !== directions || b!.length !== directions) return false;
  const squares = a!.reduce((sum, each, at) => sum + ((each - b![at]!) / steps) ** 2, 0);
  return Math.sqrt(squares / directions) <= most;
}

/** Whether two unit vectors of the probe are of one model. */
export function sameProbe(one: Float32Array, other: Float32Array): boolean {
  if (one.length !== other.length) return false;
  const distance = Math.sqrt(one.reduce((sum, each, at) => sum + (each - other[at]!) ** 2, 0));
  return distance <= most;
}

/** A unit vector along directions of ±1 in each dimension: each measure then has the standard deviation 1. */
function measures(vector: Float32Array): Int8Array {
  const found = new Int8Array(directions);
  for (let direction = 0; direction < directions; direction++) {
    let bits = Math.imul(direction + 1, 0x9e3779b1);
    let sum = 0;
    for (const value of vector) {
      // xorshift32: the same signs for ever, from nothing but the direction's number.
      bits ^= bits << 13;
      bits ^= bits >>> 17;
      bits ^= bits << 5;
      sum += bits & 0x10000 ? value : -value;
    }
    found[direction] = Math.max(-127, Math.min(127, Math.round(sum * steps)));
  }
  return found;
}

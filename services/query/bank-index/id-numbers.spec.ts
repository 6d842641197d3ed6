import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { hashNumbers, textNumbers } from './id-numbers.js';

const anyHash = fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('hex'));
// Few and close to each other, so that they meet in the table; and the ends of what 64 bits hold.
const close = fc.constantFrom(
  '0000000000000000',
  '0000000000000001',
  '0000000100000000',
  'ffffffffffffffff',
  '80000000ffffffff',
);

describe('numbers for keyed hashes', () => {
  test.prop([fc.array(fc.oneof(anyHash, close), { maxLength: 300 })])('are given in turn, once each', (hashes) => {
    const numbers = hashNumbers();
    const model = new Map<string, number>();
    for (const hash of hashes) {
      expect(numbers.get(hash)).toBe(model.get(hash));
      if (!model.has(hash)) model.set(hash, model.size + 1);
      expect(numbers.add(hash)).toBe(model.get(hash));
    }
    expect(numbers.size).toBe(model.size);
    for (const [hash, number] of model) expect(numbers.hash(number)).toBe(hash);
  });
});

describe('numbers for ids', () => {
  test.prop([fc.array(fc.string({ maxLength: 40 }), { maxLength: 300 })])('are one for each id', (ids) => {
    const numbers = textNumbers();
    for (const id of ids) numbers.add(id);
    const distinct = [...new Set(ids)];
    expect(distinct.map((id) => numbers.get(id))).toEqual(distinct.map((_, index) => index + 1));
    expect(numbers.get('not among them, for it is too long for that, by some')).toBeUndefined();
  });

  it('tells apart ids that count up', () => {
    const numbers = textNumbers();
    for (let id = 0; id < 100_000; id++) numbers.add(`01912345-6789-7abc-8def-${id.toString(16).padStart(12, '0')}`);
    expect(numbers.size).toBe(100_000);
  });
});

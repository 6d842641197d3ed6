import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { boundedCache } from './bounded-cache.js';

describe('a bounded cache', () => {
  it('lets go of what was longest unused', () => {
    const cache = boundedCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
  });

  it('keeps what was set last, however heavy it is', () => {
    const cache = boundedCache<string>(3, (text) => text.length);
    cache.set('a', 'x');
    cache.set('b', 'four');
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')).toBe('four');
  });

  test.prop([
    fc.array(fc.tuple(fc.constantFrom('set', 'get'), fc.constantFrom(...'abcde'), fc.integer({ min: 1, max: 4 }))),
    fc.integer({ min: 4, max: 12 }),
  ])('agrees with a list that is kept in order of use', (steps, limit) => {
    const cache = boundedCache<number>(limit, (value) => value);
    let model: [string, number][] = [];
    for (const [step, key, value] of steps) {
      const found = model.find(([each]) => each === key);
      if (step === 'get') expect(cache.get(key)).toBe(found?.[1]);
      else cache.set(key, value);
      const used: [string, number] | undefined = step === 'set' ? [key, value] : found;
      if (used) model = [...model.filter(([each]) => each !== key), used];
      while (model.reduce((sum, [, each]) => sum + each, 0) > limit) model.shift();
    }
  });
});

import { describe, expect, it } from 'vitest';
import { pooledRandom } from './pooled-random.js';

describe('pooled random bytes', () => {
  it('are of the length asked for, over the ends of pools, and never given twice', () => {
    const random = pooledRandom();
    const given = Array.from({ length: 2_000 }, (_, at) => random(8 + (at % 60)));
    expect(given.map(({ length }) => length)).toEqual(given.map((_, at) => 8 + (at % 60)));
    expect(new Set(given.map((each) => Buffer.from(each.subarray(0, 8)).toString('hex'))).size).toBe(2_000);
  });

  it('stay what they were when more are drawn', () => {
    const random = pooledRandom();
    const first = random(12);
    const copy = Buffer.from(first);
    for (let draws = 0; draws < 1_000; draws++) random(12);
    expect(Buffer.from(first)).toEqual(copy);
    expect(random(32 * 1024)).toHaveLength(32 * 1024);
  });
});

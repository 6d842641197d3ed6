import { randomBytes } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { keyId, makeBucket, maxSecrets, parseKeyId, secretIn, unwrapBucket, wrapBucket } from './bucket.js';

const sources = { random: (bytes: number): Uint8Array => randomBytes(bytes) };
const wrappingKey = randomBytes(32);

describe('a bucket', () => {
  test.prop([fc.integer({ min: 1, max: maxSecrets }), fc.integer({ min: 1, max: 1_000 })], { numRuns: 30 })(
    'comes back as it was wrapped',
    (size, epoch) => {
      const bucket = makeBucket(size, sources);
      const back = unwrapBucket(wrapBucket(bucket, epoch, wrappingKey, sources), wrappingKey);
      expect(back.id).toBe(bucket.id);
      expect(Buffer.compare(back.secrets, bucket.secrets)).toBe(0);
    },
  );

  it('opens under no other key, id or epoch, and not with the secrets of another', () => {
    const stored = wrapBucket(makeBucket(4, sources), 1, wrappingKey, sources);
    const other = wrapBucket(makeBucket(4, sources), 1, wrappingKey, sources);
    expect(() => unwrapBucket(stored, randomBytes(32))).toThrow();
    for (const wrong of [{ id: other.id }, { epoch: 2 }, { sealedIn: 2 }, { blob: other.blob }])
      expect(() => unwrapBucket({ ...stored, ...wrong }, wrappingKey)).toThrow();
  });

  it('keeps its other secrets when one was destroyed', () => {
    const bucket = makeBucket(3, sources);
    const kept = Buffer.from(secretIn(bucket, 2)!);
    bucket.secrets.fill(0, 32, 64);
    expect(secretIn(bucket, 1)).toBeUndefined();
    expect(Buffer.from(secretIn(bucket, 2)!)).toEqual(kept);
    expect(secretIn(bucket, 3)).toBeUndefined();
  });

  test.prop([fc.nat({ max: maxSecrets })])('has key ids that are read back', (slot) => {
    const { id } = makeBucket(1, sources);
    expect(parseKeyId(keyId(id, slot))).toEqual({ bucket: id, slot });
  });

  it.each(['', '.', 'a', '.1', 'a.-1', 'a.1.5x', 'a.x'])('has no key id %j', (id) => {
    expect(parseKeyId(id)).toBeUndefined();
  });
});

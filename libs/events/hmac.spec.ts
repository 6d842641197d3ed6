import { createHmac } from 'node:crypto';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect } from 'vitest';
import { hmac } from './hmac.js';

const keys = fc.array(fc.uint8Array({ maxLength: 80 }), { minLength: 1, maxLength: 3 });
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 300, maxLength: 700 }));

test.prop([keys, fc.array(fc.tuple(fc.nat(2), text), { maxLength: 6 })])(
  'is HMAC-SHA-256, whatever was hashed before under this key or another',
  (held, calls) => {
    const made = calls.map(([at, each]) => ({ key: held[at % held.length]!, each }));
    const digests = made.map(({ key, each }) => hmac(key, each));
    expect(digests).toEqual(made.map(({ key, each }) => createHmac('sha256', key).update(each, 'utf8').digest()));
  },
);

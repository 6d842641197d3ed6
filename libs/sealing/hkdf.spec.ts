import { hkdfSync } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { hkdfDeriver } from './hkdf.js';

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const binary = (text: string) => Buffer.from(text, 'hex').toString('latin1');
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('HKDF-SHA-256', () => {
  // RFC 5869, appendix A.1 to A.3; the first 32 bytes of the output.
  it.each([
    {
      secret: new Uint8Array(22).fill(0x0b),
      salt: hex('000102030405060708090a0b0c'),
      info: binary('f0f1f2f3f4f5f6f7f8f9'),
      derived: '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf',
    },
    {
      secret: Uint8Array.from(range(0x00, 0x4f)),
      salt: Uint8Array.from(range(0x60, 0xaf)),
      info: Buffer.from(range(0xb0, 0xff)).toString('latin1'),
      derived: 'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c',
    },
    {
      secret: new Uint8Array(22).fill(0x0b),
      salt: new Uint8Array(0),
      info: '',
      derived: '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
    },
  ])('gives the bytes of the RFC: $derived', ({ secret, salt, info, derived }) => {
    expect(Buffer.from(hkdfDeriver(salt, info)(secret)).toString('hex')).toBe(derived);
  });

  test.prop([
    fc.uint8Array({ maxLength: 200 }),
    fc.array(fc.uint8Array({ maxLength: 128 }), { minLength: 1, maxLength: 4 }),
    fc.string({ maxLength: 100, unit: 'binary-ascii' }),
  ])('gives the bytes of hkdfSync, however often it is used', (salt, secrets, info) => {
    const derive = hkdfDeriver(salt, info);
    for (const secret of secrets)
      expect(Buffer.from(derive(secret))).toEqual(Buffer.from(hkdfSync('sha256', secret, salt, info, 32)));
  });
});

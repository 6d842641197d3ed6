import { readFileSync } from 'node:fs';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedHash } from './keyed-hash.js';
import { memoryIdOf, type NaturalKey } from './memory-identity.js';

interface Vectors {
  readonly key: string;
  readonly bank: string;
  readonly keyedHashes: readonly { readonly purpose: string; readonly parts: string[]; readonly hash: string }[];
  readonly memoryIds: readonly { readonly natural: NaturalKey; readonly id: string }[];
}
const vectors = JSON.parse(readFileSync(new URL('./vectors/identity.json', import.meta.url), 'utf8')) as Vectors;
const key = Buffer.from(vectors.key, 'hex');
const { bank } = vectors;

// Any text that a caller can send, lone surrogates included.
const part = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'a', 'a\n', '1:a', '\ud800', '\ud801', '"\\ud800"', 'j8:"\\ud800"'),
);
const parts = fc.array(part, { maxLength: 4 });

describe('a keyed hash', () => {
  it.each(vectors.keyedHashes)('of $purpose $parts is fixed', ({ purpose, parts: given, hash }) => {
    expect(keyedHash(key, purpose, ...given)).toBe(hash);
  });

  test.prop([parts, parts])('differs where a part differs, wherever the boundaries lie', (one, other) => {
    fc.pre(JSON.stringify(one) !== JSON.stringify(other));
    expect(keyedHash(key, 'p', ...one)).not.toBe(keyedHash(key, 'p', ...other));
  });

  test.prop([parts])('differs by purpose and by key', (given) => {
    const here = keyedHash(key, 'tag', ...given);
    expect(keyedHash(key, 'slot', ...given)).not.toBe(here);
    expect(keyedHash(Buffer.alloc(32, 9), 'tag', ...given)).not.toBe(here);
  });
});

describe('the id of a memory', () => {
  it.each(vectors.memoryIds)('with $natural is fixed', ({ natural, id }) => {
    expect(memoryIdOf(key, bank, natural)).toBe(id);
  });

  test.prop([part])('is a UUID of version 8 and variant 10', (slot) => {
    expect(memoryIdOf(key, bank, { by: 'slot', key: slot })).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test.prop([part, part])('differs by what made it, by its parts and by its bank', (one, other) => {
    const ids = [
      memoryIdOf(key, bank, { by: 'import', source: one, id: other }),
      memoryIdOf(key, bank, { by: 'request', principal: one, idempotencyKey: other }),
      memoryIdOf(key, `${bank}0`, { by: 'import', source: one, id: other }),
      memoryIdOf(key, bank, { by: 'import', source: `${one}${other}`, id: '' }),
      memoryIdOf(key, bank, { by: 'step', session: one, step: other, action: '' }),
    ];
    fc.pre(other !== '');
    expect(new Set(ids).size).toBe(ids.length);
  });
});

import { readFileSync } from 'node:fs';
import { test } from '@fast-check/vitest';
import * as reference from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from './canonical.js';

// A CommonJS package whose types say ESM.
const canonicalize = reference.default as unknown as (value: unknown) => string | undefined;

interface Vectors {
  readonly numbers: readonly { readonly bits: string; readonly text: string }[];
  readonly values: readonly { readonly value: Json; readonly bytes: string }[];
}
const vectors = JSON.parse(readFileSync(new URL('./vectors/canonical.json', import.meta.url), 'utf8')) as Vectors;

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', '10', '9', '01', '', '\u0000', '"\\', '\ud83d\ude00', '\ufb33'),
);
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6 }),
  ),
})).value as fc.Arbitrary<Json>;

describe('canonical bytes', () => {
  it.each(vectors.numbers)('prints the number of bits $bits as $text', ({ bits, text: printed }) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(printed);
  });

  it.each(vectors.values)('are fixed: $bytes', ({ value, bytes }) => {
    expect(Buffer.from(canonicalJson(value), 'utf8').toString('hex')).toBe(bytes);
  });

  test.prop([json])('agree with an independent implementation of RFC 8785', (value) => {
    expect(canonicalJson(value)).toBe(canonicalize(value));
  });

  test.prop([json])('lose nothing', (value) => {
    expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });

  test.prop([fc.dictionary(text, number), fc.infiniteStream(fc.nat())])(
    'do not depend on the order in which members were set',
    (members, random) => {
      const shuffled = Object.entries(members)
        .map((member) => ({ member, rank: random.next().value as number }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ member }) => member);
      expect(canonicalJson(fromEntries(shuffled))).toBe(canonicalJson(members));
    },
  );

  it('sort members by UTF-16 code units, not by code points', () => {
    expect(canonicalJson({ '\ufb33': 1, '\ud83d\ude00': 2 })).toBe('{"\ud83d\ude00":2,"\ufb33":1}');
  });

  it('sort integer-like names as text', () => {
    expect(canonicalJson({ 9: 'b', 10: 'a' })).toBe('{"10":"a","9":"b"}');
  });

  it('keep a member named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });

  it('leave undefined members out, and write undefined elements as null', () => {
    expect(canonicalJson({ a: undefined, b: [undefined as unknown as Json, 1] })).toBe('{"b":[null,1]}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuse %s', (value) => {
    expect(() => canonicalJson({ deep: [value] })).toThrow(/no canonical form: RFC 8785 takes finite numbers only/);
  });

  it.each([
    ['a text', { a: 'x\ud800y' }],
    ['a name', { '\udc00': 1 }],
  ])('refuse a lone surrogate in %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(/a lone surrogate has no canonical form/);
  });

  it.each([[undefined], [1n], [Symbol('s')], [() => 1]])('refuse what is no JSON: %s', (value) => {
    expect(() => canonicalJson(value as unknown as Json)).toThrow(TypeError);
  });
});

function fromEntries(entries: readonly [string, number][]): Record<string, number> {
  const result: Record<string, number> = Object.create(null);
  for (const [name, value] of entries) result[name] = value;
  return result;
}

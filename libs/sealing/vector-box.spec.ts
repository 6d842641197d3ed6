import { hkdfSync, randomBytes } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { beforeEach, describe, expect, it } from 'vitest';
import { testVault } from '#test/test-vault.js';
import { deriveContentKey } from './content-key.js';
import { openBytes } from './sealed-bytes.js';
import type { ContentSecret, Doomed, Vault } from './vault.js';
import { keysOfVector, manyVectorsBoxes, vectorBoxes } from './vector-box.js';

const space = { model: 'ab'.repeat(32), dimensions: 8 };
const packed = Uint8Array.from({ length: 12 }, (_, at) => at * 21);
let vault: Vault;
let own: ContentSecret;
let said: ContentSecret;

const at = (bank = 'b1', of = space) => vectorBoxes(vault, bank, of);
const keys = (subjects: readonly string[] = []) => ({ secrets: [own.id, said.id], subjects });
const seal = async (doc = 7, subjects: readonly string[] = []) =>
  (await at().seal(doc, keys(subjects), packed, randomBytes(12)))!;

beforeEach(async () => {
  vault = await testVault();
  await vault.bankKeys('b1');
  await vault.bankKeys('b2');
  for (const subject of ['ada', 'bob']) await vault.subjectSecret('b1', subject);
  own = await vault.freshSecret();
  said = await vault.freshSecret();
});

describe('a sealed vector', () => {
  test.prop([fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.subarray(['ada', 'bob']), fc.boolean()], {
    numRuns: 40,
  })('opens to what was sealed, by whoever has the keys', async (plain, subjects, isAlone) => {
    const of = { secrets: isAlone ? [own.id] : [own.id, said.id], subjects };
    const sealed = (await at().seal(3, of, plain, randomBytes(12)))!;
    expect(Buffer.from((await at().open(3, sealed)) as Uint8Array)).toEqual(Buffer.from(plain));
  });

  it('holds no eight bytes of the vector, and is another one each time', async () => {
    const sealed = Buffer.from(await seal());
    for (let from = 0; from + 8 <= packed.length; from++)
      expect(sealed.includes(Buffer.from(packed.subarray(from, from + 8)))).toBe(false);
    expect(Buffer.from(await seal()).equals(sealed)).toBe(false);
  });

  it.each<[string, () => Doomed]>([
    ['its memory', () => ({ secrets: [own.id], subjects: [], banks: [] })],
    ['the memory that was said before it', () => ({ secrets: [said.id], subjects: [], banks: [] })],
    ['a person', () => ({ secrets: [], subjects: [{ bank: 'b1', subject: 'bob' }], banks: [] })],
    ['the bank', () => ({ secrets: [], subjects: [], banks: ['b1'] })],
  ])('is gone with %s', async (_, doomed) => {
    const sealed = await seal(7, ['bob', 'ada']);
    await vault.destroy(doomed());
    expect(await at().open(7, sealed)).toBe('gone');
    expect(await at().seal(7, keys(['bob', 'ada']), packed, randomBytes(12))).toBeUndefined();
  });

  it('stays when somebody else is erased', async () => {
    const sealed = await seal(7, ['ada']);
    const other = await vault.freshSecret();
    await vault.destroy({ secrets: [other.id], subjects: [{ bank: 'b1', subject: 'bob' }], banks: ['b2'] });
    expect(await at().open(7, sealed)).toBeInstanceOf(Uint8Array);
  });

  it('opens at no other doc, in no other bank and in no other space', async () => {
    const sealed = await seal();
    expect(await at().open(8, sealed)).toBe('damaged');
    expect(await at('b2').open(7, sealed)).toBe('damaged');
    expect(await at('b1', { ...space, model: 'cd' }).open(7, sealed)).toBe('damaged');
    expect(await at('b1', { ...space, dimensions: 9 }).open(7, sealed)).toBe('damaged');
  });

  test.prop([fc.nat(), fc.integer({ min: 0, max: 7 })], { numRuns: 100 })(
    'is damaged by any bit that is turned, and never taken for an erased one',
    async (byte, bit) => {
      const sealed = Uint8Array.from(await seal(7, ['ada']));
      sealed[byte % sealed.length]! ^= 1 << bit;
      expect(await at().open(7, sealed)).toBe('damaged');
    },
  );

  test.prop([fc.uint8Array({ maxLength: 80 })])('never throws over bytes that are none', async (bytes) => {
    expect(['damaged', 'gone']).toContain(await at().open(7, bytes));
  });

  it('has a key that no content is sealed with', async () => {
    const { secret } = (await vault.knownBankKeys('b1'))!;
    const alone = (await at().seal(7, { secrets: [own.id], subjects: [] }, packed, randomBytes(12)))!;
    const end = 4 + 1 + own.id.length + 4;
    const head = Buffer.from(alone.subarray(0, end)).toString('latin1');
    const place = `hl-vector-1\nb1\n${space.model}\n${space.dimensions}\n7\n${head}`;
    const vectorKey = hkdfSync('sha256', own.secret, secret, 'hindsight-ledger/vector/1', 32);
    expect(Buffer.from(openBytes(Buffer.from(vectorKey), alone.subarray(end), place))).toEqual(Buffer.from(packed));
    expect(() => openBytes(deriveContentKey(own.secret, secret), alone.subarray(end), place)).toThrow();
  });
});

describe('many vectors in one box', () => {
  const many = () => manyVectorsBoxes(vault, 'b1', space);
  const secrets = async () => {
    const made: string[] = [];
    for (let left = 300; left > 0; left--) made.push((await vault.freshSecret()).id);
    return made;
  };

  it('open with all their secrets, and are gone with any of them, or of their subjects', async () => {
    const ids = await secrets();
    const sealed = (await many().seal(1024, { secrets: ids, subjects: ['bob', 'ada'] }, packed, randomBytes(12)))!;
    expect(Buffer.from((await many().open(1024, sealed)) as Uint8Array)).toEqual(Buffer.from(packed));
    expect(await many().open(2048, sealed)).toBe('damaged');
    await vault.destroy({ secrets: [ids[217]!], subjects: [], banks: [] });
    expect(await many().open(1024, sealed)).toBe('gone');
    const rest = { secrets: ids.filter((_, at) => at !== 217), subjects: ['ada'] };
    const anew = (await many().seal(1024, rest, packed, randomBytes(12)))!;
    await vault.destroy({ secrets: [], subjects: [{ bank: 'b1', subject: 'ada' }], banks: [] });
    expect(await many().open(1024, anew)).toBe('gone');
  });

  it('are not taken for one, nor one for many', async () => {
    const sealed = (await many().seal(7, keys(), packed, randomBytes(12)))!;
    expect(await at().open(7, sealed)).toBe('damaged');
    expect(await many().open(7, await seal())).toBe('damaged');
    expect(keysOfVector(sealed)).toBeUndefined();
    expect(keysOfVector(await seal(7, ['bob', 'ada']))).toEqual({
      secrets: [own.id, said.id],
      subjects: ['ada', 'bob'],
    });
  });
});

import { fc, test } from '@fast-check/vitest';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BoxBinding, SealedBox } from '#events/sealed-box.js';
import { testVault } from '#test/test-vault.js';
import { contentKeyOf, salted } from './content-key.js';
import { openBox } from './open-event.js';
import { sealBox } from './seal-event.js';
import type { ContentSecret, Vault } from './vault.js';

const binding: BoxBinding = {
  ledger: 'l1',
  bank: 'b1',
  stream: 'hl.l1.b1.memory-m1',
  eventId: 'e1',
  type: 'MemoryRecorded',
  schema: 2,
};
const nonce = new Uint8Array(12).fill(7);
let vault: Vault;
let secret: ContentSecret;

const seal = async (content: unknown, subjects: readonly string[] = [], where: BoxBinding = binding) => {
  const key = await salted(vault, where.bank, secret.secret, subjects);
  return sealBox(content, where, { id: secret.id, key }, nonce);
};

beforeAll(async () => {
  vault = await testVault();
  secret = await vault.freshSecret();
});

describe('a sealed box', () => {
  test.prop([fc.record({ content: fc.json(), key: fc.string({ unit: 'grapheme' }) })])(
    'opens to what was sealed',
    async (content) => {
      expect(await openBox(vault, binding, await seal(content))).toEqual(content);
    },
  );

  it.each(['\ud800 alone', '\u0000', 'مرحبا 👩‍👩‍👧', '把MySQL迁移'])(
    'keeps %j exactly, as JSON text',
    async (written) => {
      const box = await seal({ content: JSON.stringify(written) });
      const opened = await openBox(vault, binding, box);
      expect(JSON.parse(opened.content as string)).toBe(written);
    },
  );

  it('shows nothing of its content', async () => {
    const box = await seal({ content: 'the launch code' });
    expect(Buffer.from(box.c, 'base64url').includes('launch')).toBe(false);
  });

  it.each<[keyof BoxBinding, string | number]>([
    ['ledger', 'l2'],
    ['stream', 'hl.l1.b1.memory-m2'],
    ['eventId', 'e2'],
    ['type', 'MemoryRevised'],
    ['schema', 1],
  ])('opens under no other %s', async (part, other) => {
    const box = await seal({ content: 'x' });
    await expect(openBox(vault, { ...binding, [part]: other }, box)).rejects.toMatchObject({ code: 'ledger_corrupt' });
  });

  it('opens in no other bank, whether that bank has keys or not', async () => {
    const box = await seal({ content: 'x' });
    await expect(openBox(vault, { ...binding, bank: 'b9' }, box)).rejects.toMatchObject({ code: 'key_not_found' });
    await vault.bankKeys('b2');
    await expect(openBox(vault, { ...binding, bank: 'b2' }, box)).rejects.toMatchObject({ code: 'ledger_corrupt' });
  });

  it('opens with no other secret', async () => {
    const box = await seal({ content: 'x' });
    const { id } = await vault.freshSecret();
    await expect(openBox(vault, binding, { ...box, k: id })).rejects.toMatchObject({ code: 'ledger_corrupt' });
  });

  it.each(['gone.0', `${'A'.repeat(11)}.99`, 'no key id', '.', ''])(
    'names the key that is not there: %j',
    async (k) => {
      const box = await seal({ content: 'x' });
      await expect(openBox(vault, binding, { ...box, k })).rejects.toMatchObject({
        code: 'key_not_found',
        details: { eventId: 'e1', key: k },
      });
    },
  );

  it('does not open when any one bit of it was changed', async () => {
    const box = await seal({ content: 'x' });
    const bits = [...changed(box, 'c'), ...changed(box, 'n')];
    expect(bits.length).toBeGreaterThan(8 * 28);
    for (const each of bits)
      await expect(openBox(vault, binding, each)).rejects.toMatchObject({ code: 'ledger_corrupt' });
  });

  it('does not open when it was cut', async () => {
    const box = await seal({ content: 'x' });
    for (let length = 0; length < box.c.length; length++)
      await expect(openBox(vault, binding, { ...box, c: box.c.slice(0, length) })).rejects.toMatchObject({
        code: 'ledger_corrupt',
      });
  });
});

describe('subjects of a box', () => {
  it('are needed all, in any order', async () => {
    const box = await seal({ content: 'x' }, ['s2', 's1']);
    expect(await openBox(vault, binding, box, ['s1', 's2', 's1'])).toEqual({ content: 'x' });
    for (const others of [[], ['s1'], ['s2']])
      await expect(openBox(vault, binding, box, others)).rejects.toMatchObject({ code: 'ledger_corrupt' });
  });

  it('end the box when one of them has no secret, and reading makes none', async () => {
    const box = await seal({ content: 'x' }, ['s1']);
    await expect(openBox(vault, binding, box, ['s1', 'nobody'])).rejects.toMatchObject({ code: 'key_not_found' });
    expect(await contentKeyOf(vault, 'b1', secret.id, ['nobody'])).toBeUndefined();
    expect(await vault.knownSubjectSecret('b1', 'nobody')).toBeUndefined();
  });
});

/** The box with one bit of a part flipped, for every bit. */
function changed(box: SealedBox, part: 'c' | 'n'): SealedBox[] {
  const bytes = Buffer.from(box[part], 'base64url');
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = copy[bit >> 3]! ^ (1 << (bit & 7));
    return { ...box, [part]: copy.toString('base64url') };
  });
}

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { decodeKeyring, encodeKeyring, fits, keyCheckOf } from './master-key.js';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const keyring = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 1_000 }), key), {
    minLength: 1,
    maxLength: 3,
    selector: ([epoch]) => epoch,
  })
  .map((entries) => new Map(entries));

describe('the text of a master key', () => {
  test.prop([keyring])('gives back the keys of all its epochs', (keys) => {
    expect(decodeKeyring(encodeKeyring(keys), 'master.key')).toEqual(keys);
  });

  test.prop([keyring])('may be kept with other line ends and comments', (keys) => {
    const text = `${encodeKeyring(keys).replaceAll('\n', '\r\n')}\r\n# kept in the safe\r\n`;
    expect(decodeKeyring(text, 'master.key')).toEqual(keys);
  });

  test.prop([key, fc.nat(), fc.integer({ min: 33, max: 126 })])(
    'is refused when any character of a key line was changed',
    (only, where, character) => {
      const text = encodeKeyring(new Map([[1, only]]));
      const start = text.lastIndexOf('\n', text.length - 2) + 1;
      const at = start + (where % (text.length - 1 - start));
      const other = String.fromCharCode(character);
      fc.pre(text[at] !== other && !(at === start && other === '#'));
      expect(() => decodeKeyring(text.slice(0, at) + other + text.slice(at + 1), 'master.key')).toThrow(/damaged/);
    },
  );

  it('says what it is instead', () => {
    expect(() => decodeKeyring('', 'master.key')).toThrow('master.key is empty');
    expect(() => decodeKeyring('-----BEGIN KEY-----\n', 'master.key')).toThrow(/does not begin with/);
    expect(() => decodeKeyring('hindsight-ledger master key 1\n', 'master.key')).toThrow(/holds no key/);
  });
});

describe('a key check', () => {
  test.prop([key, key])('knows its key, and its epoch', (one, other) => {
    fc.pre(Buffer.compare(one, other) !== 0);
    const stored = keyCheckOf(3, one);
    expect(fits(new Map([[3, one]]), stored)).toBe(true);
    expect(fits(new Map([[3, other]]), stored)).toBe(false);
    expect(fits(new Map([[2, one]]), stored)).toBe(false);
    expect(fits(new Map([[3, one]]), { ...stored, epoch: 4 })).toBe(false);
  });
});

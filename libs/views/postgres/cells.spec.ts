import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { decodeText, encodeText } from './cells.js';

describe('text cells', () => {
  const texts = fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', 'a', '中') });
  test.prop([texts])('come back as they were, and hold no U+0000 meanwhile', (text) => {
    expect(encodeText(text)).not.toContain('\0');
    expect(decodeText(encodeText(text))).toBe(text);
  });
  test.prop([texts, texts])('sort as they did', (one, other) => {
    expect(Math.sign(Buffer.compare(Buffer.from(encodeText(one)), Buffer.from(encodeText(other))))).toBe(
      Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(other))),
    );
  });
});

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { termHash } from './term-hash.js';

const key = new Uint8Array(32).fill(7);

it('is the first eight bytes of SHA-256 over key and term, as long as the term may be', () => {
  for (const term of ['postgres', '数据', 'x'.repeat(5000)]) {
    const whole = createHash('sha256').update(key).update(term, 'utf8').digest('hex');
    expect(termHash(key, term)).toBe(whole.slice(0, 16));
    expect(termHash(key, term)).toBe(whole.slice(0, 16));
  }
});

it('differs by bank, also when keys alternate', () => {
  const other = new Uint8Array(32).fill(8);
  expect(termHash(key, 'a')).not.toBe(termHash(other, 'a'));
  expect(termHash(key, 'a')).toBe(termHash(Uint8Array.from(key), 'a'));
});

it('stays right when more terms were hashed than are remembered', () => {
  const first = termHash(key, 'term0');
  for (let at = 0; at < 20_000; at++) termHash(key, `term${at}`);
  expect(termHash(key, 'term0')).toBe(first);
});

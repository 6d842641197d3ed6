import { describe, expect, it } from 'vitest';
import { type Basis, decodeBasis, encodeBasis, modelInBasis, momentOfBasis } from './basis.js';

const basis: Basis = {
  ledger: 'l1',
  bank: 'b1',
  position: 'p1',
  hash: 'h1',
  at: '2026-03-01T00:00:00.000Z',
  recipe: 'r1',
};
const vectors = { mark: 7, changes: 2, model: modelInBasis({ model: 'a'.repeat(64), dimensions: 384 }) };
const here = { ledger: 'l1', bank: 'b1' };

describe('a basis', () => {
  it('has the form that it had before there were vectors where it rests on none', () => {
    const token = encodeBasis(basis);
    expect(token).toBe(
      `b1.${Buffer.from('["l1","b1","p1","h1","2026-03-01T00:00:00.000Z","r1"]').toString('base64url')}`,
    );
    expect(decodeBasis(token, here)).toEqual({ ...basis, vectors: undefined });
  });

  it('carries how far vectors had been made, and by which model', () => {
    const token = encodeBasis({ ...basis, vectors });
    expect(token).toMatch(/^b2\.[\w-]+$/);
    expect(decodeBasis(token, here)).toEqual({ ...basis, vectors });
    expect(momentOfBasis(token)).toBe(basis.at);
    expect(vectors.model).toBe(`${'a'.repeat(16)}.384`);
  });

  it.each([
    ['another form', `b3.${encodeBasis(basis).slice(3)}`],
    ['vectors in the form without', `b1.${encodeBasis({ ...basis, vectors }).slice(3)}`],
    ['no vectors in the form with', `b2.${encodeBasis(basis).slice(3)}`],
    ['a mark of 0', encodeBasis({ ...basis, vectors: { ...vectors, mark: 0 } })],
    ['half a change', encodeBasis({ ...basis, vectors: { ...vectors, changes: 0.5 } })],
  ])('is none with %s', (_, token) => {
    expect(() => decodeBasis(token, here)).toThrow(/which is no basis that a ledger gave/);
    expect(momentOfBasis(token)).toBeUndefined();
  });
});

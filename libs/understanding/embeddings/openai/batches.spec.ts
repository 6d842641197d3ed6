import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { batchesOf, beginningOf } from './batches.js';

test.prop([
  fc.array(fc.string({ maxLength: 30 }), { maxLength: 40 }),
  fc.record({ texts: fc.integer({ min: 1, max: 8 }), characters: fc.integer({ min: 1, max: 40 }) }),
])('keeps all texts in order, and no batch greater than it may be unless it is one text', (texts, limits) => {
  const batches = batchesOf(texts, limits);
  expect(batches.flat()).toEqual(texts);
  for (const batch of batches) {
    expect(batch.length).toBeGreaterThan(0);
    expect(batch.length).toBeLessThanOrEqual(limits.texts);
    if (batch.length > 1) expect(batch.join('').length).toBeLessThanOrEqual(limits.characters);
  }
});

test.prop([fc.string({ unit: 'grapheme', maxLength: 30 }), fc.integer({ min: 1, max: 40 })])(
  'cuts between characters',
  (text, most) => {
    const begin = beginningOf(text, most);
    expect(text.startsWith(begin)).toBe(true);
    expect(begin.isWellFormed()).toBe(true);
    expect(begin.length).toBeLessThanOrEqual(most);
    expect(begin.length).toBeGreaterThanOrEqual(Math.min(text.length, most) - 1);
  },
);

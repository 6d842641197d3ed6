import { describe, expect, it } from 'vitest';
import { after, archived, erased, forgotten, quarantined, recorded, released, revised } from '../test-support/given.js';
import { mayBeEnriched } from './decide-enrich.js';

describe('what a model found', () => {
  it('goes on record for what a memory says now', () => {
    expect(mayBeEnriched(after(recorded('a')), { version: 1 })).toBe(true);
    expect(mayBeEnriched(after(recorded('a'), revised(2, 'b')), { version: 2 })).toBe(true);
    expect(mayBeEnriched(after(recorded('a'), quarantined, released), { version: 1 })).toBe(true);
  });

  it('does not for a version that another took the place of, nor for one that is yet to come', () => {
    expect(mayBeEnriched(after(recorded('a'), revised(2, 'b')), { version: 1 })).toBe(false);
    expect(mayBeEnriched(after(recorded('a')), { version: 2 })).toBe(false);
  });

  it.each([
    ['retracted', forgotten],
    ['archived', archived],
    ['held back', quarantined],
    ['erased', erased],
  ])('does not for a memory that was %s', (_, turned) => {
    expect(mayBeEnriched(after(recorded('a'), turned), { version: 1 })).toBe(false);
  });

  it('does not for one that is not there', () => {
    expect(mayBeEnriched(after(), { version: 1 })).toBe(false);
  });
});

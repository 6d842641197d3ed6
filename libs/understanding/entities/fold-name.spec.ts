import { test as prop } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from './fold-name.js';

describe('foldName', () => {
  it.each([
    ['PostgreSQL', 'postgresql'],
    ['Ｒｅａｃｔ', 'react'],
    ['São  Paulo', 'sao paulo'],
    ['O’Brien', "o'brien"],
    ['王伟', '王伟'],
    ['Anna\u3000Lee', 'anna lee'],
    ['Straße', 'strasse'],
  ])('%s is matched as %s', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it('knows no synonyms', () => {
    expect(foldName('Robert')).not.toBe(foldName('Bob'));
    expect(foldName('k8s')).not.toBe(foldName('Kubernetes'));
  });

  prop.prop([fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))])(
    'folding twice changes nothing',
    (name) => {
      const once = foldName(name);
      expect(foldName(once)).toBe(once);
    },
  );

  prop.prop([fc.string({ unit: 'grapheme-ascii' })])('does not mind capitals and spaces around', (name) => {
    expect(foldName(`  ${name.toUpperCase()} `)).toBe(foldName(name));
  });
});

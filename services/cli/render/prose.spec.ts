import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { oneLine, shown, wrapped } from './prose.js';

describe('shown', () => {
  it('spells out what would steer a terminal or turn text around, and keeps line feeds and tabs', () => {
    expect(shown('a\u001b[31mb\u0000c\u202ed\u009b')).toBe('a\\u001b[31mb\\u0000c\\u202ed\\u009b');
    expect(shown('one\n\ttwo')).toBe('one\n\ttwo');
    expect(shown({ a: 1, b: ['x'] })).toBe('{ "a": 1, "b": [ "x" ] }');
  });
});

describe('oneLine', () => {
  it('cuts by whole characters, by the columns that they take', () => {
    expect(oneLine('one\ntwo   three', 100)).toBe('one two three');
    expect(oneLine('🙂🙂🙂🙂', 5)).toBe('🙂🙂…');
  });
});

describe('wrapped', () => {
  it('breaks at spaces and keeps the given lines', () => {
    expect(wrapped('aaa bbb ccc ddd eee fff\nggg', 22, '  ')).toBe('  aaa bbb ccc ddd eee\n  fff\n  ggg');
  });

  it('breaks Chinese between characters, which take two columns each', () => {
    const lines = wrapped('把数据库迁移到新的服务器上去吧', 24, '    ').split('\n');
    expect(lines).toEqual(['    把数据库迁移到新的服', '    务器上去吧']);
  });

  property.prop([fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), fc.integer({ min: 30, max: 80 })])(
    'keeps every word, within the width',
    (words, width) => {
      const text = wrapped(words.join(' '), width, '  ');
      expect(text.split(/\s+/).filter(Boolean)).toEqual(words);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    },
  );
});

import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { share, splitLines } from './plain-copy.js';

it('splits whole lines off, and keeps what has no end', () => {
  const { lines, rest } = splitLines(Buffer.from('a\nbc\n\nd'));
  expect(lines.map(String)).toEqual(['a\n', 'bc\n', '\n']);
  expect(String(rest)).toBe('d');
});

test.prop([fc.array(fc.integer()), fc.integer({ min: 1, max: 20 })])(
  'gives all of a list out, in order',
  (all, turns) => {
    expect(Array.from({ length: turns }, (_, turn) => share(all, turn, turns)).flat()).toEqual(all);
  },
);

import { expect, it } from 'vitest';
import type { TermPostings } from '../../bank-index/term-postings.js';
import { slotScores } from './slot-scores.js';

const at = (...docs: number[]) => ({ docs: Int32Array.from(docs) }) as unknown as TermPostings;
const named = (keys: TermPostings[], tags: TermPostings[], ...lengths: number[]) => [
  ...slotScores({ words: keys, keys, tags }, { keyLength: Uint16Array.from(lengths) as never }),
];

it('names a memory by its whole key, with its compound or without', () => {
  expect(named([at(0), at(0), at(0)], [], 3)).toEqual([[0, 'key']]);
  expect(named([at(0), at(0)], [], 3)).toEqual([[0, 'key']]);
  expect(named([at(0), at(0), at(), at()], [], 3)).toEqual([[0, 'key']]);
});

it('names none by a part of a key, or where most of the question is about something else', () => {
  expect(named([at(0)], [], 3)).toEqual([]);
  expect(named([at(0), at(0), at(), at(), at()], [], 3)).toEqual([]);
  expect(named([at(0), at()], [], 1)).toEqual([]);
  expect(named([], [], 3)).toEqual([]);
});

it('names memories by tags where nothing else is asked', () => {
  expect(named([at()], [at(0, 2)], 0, 0, 0)).toEqual([
    [0, 'tags'],
    [2, 'tags'],
  ]);
  expect(named([at(), at()], [at(0, 2), at(2)], 0, 0, 0)).toEqual([[2, 'tags']]);
});

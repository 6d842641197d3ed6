import { expect, it } from 'vitest';
import type { Question } from '../quality/questions.js';
import { strayed } from './strayed.js';

const question = (id: string, bank: string) =>
  ({ id, bank, text: id, category: 'c', relevant: new Set(['x']) }) as unknown as Question;

it('asks every third question in another conversation, where nothing answers it', () => {
  const found = strayed(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id, at) => question(id, at < 4 ? 'one' : 'two')));
  expect(found.map(({ bank, category, relevant }) => [bank, category, relevant.size])).toEqual([
    ['two', 'asked elsewhere', 0],
    ['two', 'asked elsewhere', 0],
    ['one', 'asked elsewhere', 0],
  ]);
  expect(found.map(({ text }) => text)).toEqual(['a', 'd', 'g']);
});

it('asks nothing elsewhere where there is one conversation', () => {
  expect(strayed([question('a', 'one'), question('b', 'one')])).toEqual([]);
});

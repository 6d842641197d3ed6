import { describe, expect, it } from 'vitest';
import { keptAnswers } from './kept-answers.js';

function counting(most?: number) {
  const answers = keptAnswers(most);
  const computed: string[] = [];
  const ask = (bank: string, query: string, views = 'v1') =>
    answers.answer(bank, { views, query }, async () => {
      computed.push(query);
      return `${bank} ${query} ${views}`;
    });
  return { ask, computed };
}

describe('rankings that are kept', () => {
  it('are not made again for the same question of the same bank', async () => {
    const { ask, computed } = counting();
    expect([await ask('b1', 'tea'), await ask('b1', 'tea'), await ask('b2', 'tea'), await ask('b1', 'milk')]).toEqual([
      'b1 tea v1',
      'b1 tea v1',
      'b2 tea v1',
      'b1 milk v1',
    ]);
    expect(computed).toEqual(['tea', 'tea', 'milk']);
  });

  it('go when the views of the bank are others, those of no other bank', async () => {
    const { ask, computed } = counting();
    await ask('b1', 'tea');
    await ask('b2', 'tea');
    expect(await ask('b1', 'milk', 'v2')).toBe('b1 milk v2');
    await ask('b2', 'tea');
    expect(await ask('b1', 'tea', 'v1')).toBe('b1 tea v1');
    expect(computed).toEqual(['tea', 'tea', 'milk', 'tea']);
  });

  it('are so many at most, and the one that was asked longest ago goes first', async () => {
    const { ask, computed } = counting(2);
    for (const query of ['tea', 'milk', 'tea', 'salt', 'tea', 'milk']) await ask('b1', query);
    expect(computed).toEqual(['tea', 'milk', 'salt', 'milk']);
  });

  it('are none where the making failed', async () => {
    const answers = keptAnswers();
    const asked = { views: 'v1', query: 'tea' };
    await expect(answers.answer('b1', asked, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await answers.answer('b1', asked, async () => 'found')).toBe('found');
  });
});

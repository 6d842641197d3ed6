import { expect, it } from 'vitest';
import { estimateTokens, fitBudget } from './fit-budget.js';

it('counts a Han character as a token, and four others as one', () => {
  expect([estimateTokens(''), estimateTokens('abcde'), estimateTokens('数据库ab')]).toEqual([0, 2, 4]);
});

it('stops at the first that does not fit', () => {
  const items = ['aaaa', 'b'.repeat(40), 'c'];
  const fitting = (budget?: number) => fitBudget(items, (item) => item, budget).length;
  expect([fitting(undefined), fitting(12), fitting(11), fitting(1), fitting(0)]).toEqual([3, 3, 2, 1, 0]);
});

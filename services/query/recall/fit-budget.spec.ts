import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { tokenBound } from '#understanding/tokens/token-bound.js';
import { budgetNotes, fitBudget, isBudgetNote } from './fit-budget.js';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
const fitted = (items: readonly string[], budget?: number, scores: readonly number[] = []) =>
  fitBudget(items, (text) => ({ text, score: scores[items.indexOf(text)] ?? 1 }), budget);
const short = words(5);
const cost = tokenBound(short);

describe('a budget of tokens', () => {
  it('is no limit where none is given', () => {
    expect(fitted([words(1_000)])).toEqual({ fitting: [words(1_000)], left: [] });
  });
  it('passes over what does not fit, names how long it is, and goes on with the next', () => {
    const long = words(60);
    const found = [`${short} a`, long, `${short} b`];
    expect(fitted(found, 4 * cost)).toEqual({
      fitting: [found[0], found[2]],
      left: [{ item: long, tokens: tokenBound(long) }],
    });
  });
  it('is not used up by one long memory, were it the best', () => {
    const long = words(40);
    const budget = tokenBound(long) + cost;
    const others = ['a', 'b', 'c'].map((name) => `${short} ${name}`);
    expect(fitted([long, ...others], budget).fitting).toEqual(others);
    expect(fitted([long, others[0]!], budget + 5).fitting).toEqual([long, others[0]]);
    expect(fitted([long], budget).fitting).toEqual([long]);
  });
  it('goes to the long one first where the others are much less likely to help', () => {
    const long = words(40);
    const budget = tokenBound(long) + cost;
    const others = ['a', 'b', 'c'].map((name) => `${short} ${name}`);
    expect(fitted([long, ...others], budget, [0.9, 0.1, 0.05, 0.05]).fitting).toEqual([long]);
    expect(fitted([long, ...others], budget, [0.9, 0.3, 0.05, 0.05]).fitting).toEqual([
      others[0],
      others[1],
      others[2],
    ]);
    expect(fitted([long, ...others], budget + cost, [0.9, 0.3, 0.05, 0.05]).fitting).toEqual([long, others[0]]);
  });
  it('serves nothing where nothing fits, and says so', () => {
    const found = fitted([words(30), words(20)], 3);
    expect(found.fitting).toEqual([]);
    expect(budgetNotes(found, 3, (item) => `m${item.length}`)).toEqual([
      `2 more did not fit token_budget 3: m149 (about ${tokenBound(words(30))} tokens), m99 (about ${tokenBound(words(20))} tokens).`,
    ]);
  });
  it('names the first few and counts the rest; says nothing where all fit', () => {
    const found = fitted(
      Array.from({ length: 8 }, (_, at) => words(20 + at)),
      1,
    );
    expect(budgetNotes(found, 1, () => 'm')[0]).toMatch(
      /^8 more did not fit token_budget 1: (m \(about \d+ tokens\), ){5}3 more\.$/,
    );
    expect(budgetNotes(fitted([short]), undefined, () => 'm')).toEqual([]);
    expect(budgetNotes(found, 1, () => 'm').map(isBudgetNote)).toEqual([true]);
    expect(isBudgetNote('This memory was not known yet.')).toBe(false);
  });

  const texts = fc.uniqueArray(fc.nat({ max: 80 }).map(words), { maxLength: 12 });
  test.prop([texts, fc.nat({ max: 200 })])(
    'keeps to it and to the order, loses nothing, and is filled',
    (items, budget) => {
      const { fitting, left } = fitted(items, budget);
      const used = fitting.reduce((total, item) => total + tokenBound(item), 0);
      expect(used).toBeLessThanOrEqual(budget);
      expect(items.filter((item) => fitting.includes(item))).toEqual(fitting);
      expect([...fitting, ...left.map(({ item }) => item)].sort()).toEqual([...items].sort());
      for (const { tokens } of left) expect(tokens).toBeGreaterThan(budget - used);
    },
  );
});
